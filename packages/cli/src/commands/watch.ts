import { parseArgs } from 'node:util';
import type { Command } from '../command.ts';
import { parseOne } from '../history/filters.ts';
import { loadStore, openKept, takeHooks } from '../history/open.ts';
import { retire } from '../history/retention.ts';
import { writeOut } from '../input/write.ts';
import { tellPlainly } from '../printer/hidden.ts';

/** So long after new lines they are taken up, many at once. */
const GATHER_MS = 500;

/** `tailrace watch`: takes in the agents' session files while they grow, until it is stopped. */
export const command: Command = async (words) => {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { json: { type: 'boolean' }, quiet: { type: 'boolean' } },
  });
  const dir = parseOne('folder', positionals);
  const { watchTranscripts } = await loadStore();
  const store = await openKept();
  const isForgotten = (sessionId: string): Promise<boolean> => store.isForgotten(sessionId);
  const stop = new AbortController();
  const told = new Set<string>();
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
      dir,
      signal: stop.signal,
      isForgotten,
      everyRound: () => takeHooks(store),
      onLines: async ({ file: { path, sessionId }, lines }) => {
        takeUp();
        if (values.quiet) return;
        const line = values.json ? JSON.stringify({ path, lines, sessionId }) : `${lines} lines  ${tellPlainly(path)}`;
        await writeOut(`${line}\n`);
      },
      onProblem: ({ path, message }) => {
        // A file that another process takes in is looked at again and again: once is enough to say so.
        if (told.has(path)) return;
        told.add(path);
        process.stderr.write(`tailrace: ${tellPlainly(path)}: ${tellPlainly(message)}\n`);
      },
    });
  } finally {
    clearTimeout(timer);
    await taking;
    await store.close();
  }
  return 130;
};
