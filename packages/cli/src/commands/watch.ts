import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import { loadStore, openKept } from '../history/open.ts';
import { retire } from '../history/retention.ts';
import { dataFolder, spoolOf } from '../home.ts';
import { writeOut } from '../input/write.ts';
import { cleanText } from '../printer/clean.ts';

/** So long after new lines they are taken up, many at once. */
const GATHER_MS = 500;

/** `tailrace watch`: takes in the agents' session files while they grow, until it is stopped. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, quiet: { type: 'boolean' } },
  });
  if (positionals.length > 1) throw new UsageError(`one folder at a time, not ${positionals.length}`);
  const { importHooks, watchTranscripts } = await loadStore();
  const store = await openKept();
  const isForgotten = (sessionId: string): Promise<boolean> => store.isForgotten(sessionId);
  const stop = new AbortController();
  // The door's own way is to leave at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.removeAllListeners(signal).once(signal, () => stop.abort());
  let timer: NodeJS.Timeout | undefined;
  let taking: Promise<unknown> = Promise.resolve();
  const takeUp = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      taking = taking.then(() =>
        store.history.catchUp({ signal: stop.signal }).catch((error: unknown) => {
          if (!stop.signal.aborted) process.stderr.write(`tailrace: ${String(error)}\n`);
        }),
      );
    }, GATHER_MS);
  };
  try {
    await retire(store);
    await watchTranscripts(store.record, {
      dir: positionals[0],
      signal: stop.signal,
      isForgotten,
      everyRound: async () => {
        await importHooks(store.record, { folder: spoolOf(dataFolder()).folder, isForgotten });
      },
      onLines: async ({ file: { path, sessionId }, lines }) => {
        takeUp();
        if (values.quiet) return;
        const told = values.json ? JSON.stringify({ path, lines, sessionId }) : `${lines} lines  ${cleanText(path)}`;
        await writeOut(`${told}\n`);
      },
      onProblem: ({ path, message }) => {
        process.stderr.write(`tailrace: ${cleanText(path)}: ${cleanText(message)}\n`);
      },
    });
  } finally {
    clearTimeout(timer);
    await taking;
    await store.close();
  }
  return 130;
};
