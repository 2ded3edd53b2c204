// One run of the agent as a stream of events. Whoever reads slowly makes the agent wait, and whoever leaves stops it.

import { agents } from '@tailrace/core';
import { startRun } from '@tailrace/runner';

/** What waits for an answer, by its id. @type {Map<string, import('@tailrace/runner').Run>} */
const waiting = new Map();

/**
 * @param {{ prompt: string, resume: string | undefined }} options
 * @returns {ReadableStream<import('@tailrace/core').AgentStreamEvent>}
 */
export function runAgent({ prompt, resume }) {
  /** @type {import('@tailrace/runner').Run | undefined} */
  let run;
  let isLeft = false;
  /** What waits until the reader wants more. @type {((value: unknown) => void)[]} */
  const lagging = [];
  function goOn() {
    for (const resolve of lagging.splice(0)) resolve(undefined);
  }

  /** @param {ReadableStreamDefaultController<import('@tailrace/core').AgentStreamEvent>} controller */
  async function begin(controller) {
    const claude = agents.find(({ name }) => name === 'claude');
    if (!claude) throw new Error('there is no such agent');
    run = await startRun({
      agent: claude,
      prompt,
      resume,
      asks: true,
      onEvents: (events) => {
        for (const event of events) if (!isLeft) controller.enqueue(event);
      },
      // What this gives is waited for, and nothing else is.
      onLines: () => !isLeft && Number(controller.desiredSize) <= 0 && new Promise((resolve) => lagging.push(resolve)),
      onRequest: ({ type, requestId }) => {
        if (!run) return;
        // The page has buttons for permissions, and no form for questions.
        if (type === 'permission-request') waiting.set(requestId, run);
        else run.answer(requestId, { decision: 'deny', reason: 'Nobody can be asked here. Decide by yourself.' });
      },
    });
    // Somebody may have left before it had begun.
    if (isLeft) run.stop();
    await run.ended;
    for (const [requestId, asking] of waiting) if (asking === run) waiting.delete(requestId);
    if (!isLeft) controller.close();
  }

  return new ReadableStream({
    // A stream asks for nothing before this is over: it does not wait for the run.
    start: (controller) => void begin(controller).catch((error) => controller.error(error)),
    pull: goOn,
    async cancel() {
      isLeft = true;
      goOn();
      await run?.stop();
    },
  });
}

/** Whether there was such a request. It is answered once. @param {string} requestId @param {boolean} isAllowed */
export function answerRequest(requestId, isAllowed) {
  const run = waiting.get(requestId);
  waiting.delete(requestId);
  // The agent may have taken it back.
  if (!run?.requests.some((request) => request.requestId === requestId)) return false;
  run.answer(requestId, isAllowed ? { decision: 'allow' } : { decision: 'deny', reason: 'The person said no.' });
  return true;
}
