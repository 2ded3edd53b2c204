import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { openLog } from '../log.ts';
import { tellPlainly } from '../printer/hidden.ts';
import { openPage } from '../serve/open-page.ts';
import { parsePort } from '../serve/parse-port.ts';
import { startServing } from '../serve/start-serving.ts';
import { keepWithoutReader, STOPPED, untilTold } from '../serve/until-told.ts';

/** `tailrace serve`: the server and its page, for the person who starts it. */
export const command: Command = async (words) => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      port: { type: 'string' },
      root: { type: 'string', multiple: true },
      'no-open': { type: 'boolean' },
      'no-watch': { type: 'boolean' },
    },
  });
  const log = openLog();
  const warn = (message: string): void => {
    log('warn', { message });
    process.stderr.write(`tailrace: ${tellPlainly(message)}\n`);
  };
  const port = parsePort(values.port);
  const roots = (values.root ?? []).map(parseRoot);
  const told = untilTold();
  keepWithoutReader(warn);
  const serving = await startServing({
    port,
    roots,
    isWatching: values['no-watch'] !== true,
    version: TAILRACE_VERSION,
    onListening: (url) => process.stdout.write(`listening on ${url}\n`),
    onCode: (code) => process.stdout.write(`${code}\n`),
    warn,
  });
  if ('takenBy' in serving) {
    const where = serving.takenBy ?? 'starting at the moment';
    process.stderr.write(`tailrace: a server for this data folder is there already: ${where}\n`);
    return 1;
  }
  const { server, deadRuns, failed, stop } = serving;
  if (port && server.port !== port) warn(`port ${port} is taken, so it is another one`);
  if (deadRuns > 0)
    warn(
      deadRuns === 1
        ? 'a run of a server that died is shown as ended'
        : `${deadRuns} runs of a server that died are shown as ended`,
    );
  if (process.stdout.isTTY) process.stderr.write('Type the code into the page to sign in. Ctrl-C ends the server.\n');
  if (!values['no-open']) openPage(server.url);
  try {
    await Promise.race([told, failed]);
  } finally {
    await stop();
  }
  return STOPPED;
};

function parseRoot(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`--root ${path} is no folder`);
  return resolve(path);
}
