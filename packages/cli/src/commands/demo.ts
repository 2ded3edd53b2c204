import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { PLAYS } from '../demo/plays.ts';
import { setStage } from '../demo/stage.ts';
import { createToken, startRuns } from '../demo/start-runs.ts';
import { messageOf } from '../failure.ts';
import { parseSpeed } from '../input/pace.ts';
import { tellPlainly } from '../printer/hidden.ts';
import { openPage } from '../serve/open-page.ts';
import { parsePort } from '../serve/parse-port.ts';
import { startServing } from '../serve/start-serving.ts';
import { keepWithoutReader, STOPPED, untilTold } from '../serve/until-told.ts';

/** `tailrace demo`: the server, its store and its runs as they are, over an agent that plays recordings. */
export const command: Command = async (words) => {
  const { values } = parseArgs({
    args: [...words],
    options: { speed: { type: 'string' }, port: { type: 'string' }, 'no-open': { type: 'boolean' } },
  });
  const speed = parseSpeed(values.speed);
  const port = parsePort(values.port);
  const warn = (message: string): void => void process.stderr.write(`tailrace: ${tellPlainly(message)}\n`);
  const told = untilTold();
  keepWithoutReader(warn);
  const stage = setStage(speed);
  // Whoever does not wait for the end leaves nothing behind either.
  process.once('exit', stage.remove);
  Object.assign(process.env, stage.env);
  const token = createToken();
  const serving = await startServing({
    port,
    roots: stage.projects,
    isWatching: true,
    version: TAILRACE_VERSION,
    onListening: (url) => process.stdout.write(`listening on ${url}\n`),
    onCode: (code) => process.stdout.write(`${code}\n`),
    warn,
  });
  if ('takenBy' in serving) throw new Error('somebody else uses the folder of the demo');
  const { server, failed, stop } = serving;
  if (process.stdout.isTTY) process.stderr.write('Type the code into the page to sign in. Ctrl-C ends the demo.\n');
  if (!values['no-open']) openPage(server.url);
  const leave = new AbortController();
  const starting = startRuns(PLAYS, { url: server.url, token, speed, signal: leave.signal }).catch((error: unknown) =>
    warn(messageOf(error)),
  );
  try {
    await Promise.race([told, failed]);
  } finally {
    leave.abort();
    await starting;
    await stop();
    stage.remove();
  }
  return STOPPED;
};
