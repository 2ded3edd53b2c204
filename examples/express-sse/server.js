// POST /runs with { "prompt": "…" } starts an agent and streams what it does as server-sent events, one neutral event each.
// It ends when the agent does; whoever reads slowly makes the agent wait, and whoever hangs up stops it.

import { agents } from '@tailrace/core';
import { startRun } from '@tailrace/runner';
import express from 'express';
import { onlyHere } from './only-here.js';

const claude = agents.find(({ name }) => name === 'claude');
if (!claude) throw new Error('there is no such agent');

const app = express();
app.use(onlyHere);
app.use(express.json());

app.post('/runs', async (request, response) => {
  const prompt = request.body?.prompt;
  if (typeof prompt !== 'string' || prompt.trim() === '')
    return void response.status(400).json({ error: 'prompt: a text is missing' });

  response.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' });
  const run = await startRun({
    agent: claude,
    prompt,
    onEvents: (events) => {
      for (const event of events)
        response.write(`id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    },
    // What this gives is waited for, and nothing else is.
    onLines: lag(response),
  });
  // Somebody may have hung up before it had begun.
  if (response.closed) run.stop();
  response.on('close', () => run.stop());
  await run.ended;
  response.end();
});

/** Gives promises while the reader lags; they settle when it has caught up, or has left. @param {express.Response} response */
function lag(response) {
  /** @type {((value: unknown) => void)[]} */
  const waiting = [];
  function goOn() {
    for (const resolve of waiting.splice(0)) resolve(undefined);
  }
  response.on('drain', goOn).on('close', goOn);
  return () => response.writableNeedDrain && new Promise((resolve) => waiting.push(resolve));
}

// What cannot be started is told in words; what was begun can only be cut off.
app.use(
  (
    /** @type {Error} */ error,
    /** @type {express.Request} */ _,
    /** @type {express.Response} */ response,
    /** @type {express.NextFunction} */ next,
  ) => {
    if (response.headersSent) return next(error);
    // A body that is no JSON is the caller's mistake, and says so by itself.
    const status = 'status' in error && typeof error.status === 'number' ? error.status : 500;
    response.status(status).type('json').json({ error: error.message });
  },
);

const server = app.listen(Number(process.env.PORT ?? 3100), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`listening on http://127.0.0.1:${address.port}`);
});
