// A session that is kept, printed again: what its last run wrote, with the times at which it came; else the agent's own file.

import type { StoredStream } from '@tailrace/store';
import { messageOf } from '../failure.ts';
import type { Cut } from '../input/cut-lines.ts';
import { findSession } from './find.ts';
import { catchUp, hasStore, loadStore, openKept } from './open.ts';

/** The lines of the session whose id begins so. */
export async function* keptLines(wanted: string): AsyncGenerator<Cut, void> {
  const isThere = await loadStore().then(hasStore, (error: unknown) => {
    throw new Error(`there is no file ${wanted}, and ${messageOf(error)}`, { cause: error });
  });
  if (!isThere) throw new Error(`there is no file ${wanted}, and no session is kept`);
  const store = await openKept();
  try {
    await catchUp(store);
    if (wanted !== 'last' && (await store.history.resolve(wanted)).length === 0)
      throw new Error(`there is no file ${wanted}, and no session whose id begins so`);
    const streams = await store.record.streams({ sessionId: await findSession(store, wanted) });
    const stream = chosen(streams);
    if (!stream) throw new Error(`nothing of ${wanted} can be printed again`);
    for await (const lines of store.record.read(stream.name)) {
      for (const { bytes, at, source } of lines) {
        if (source !== 'stdout' && source !== 'transcript' && source !== 'hook') continue;
        // A file was read all at once: its lines have the agent's own times.
        yield { bytes, isRest: false, at: source === 'transcript' ? undefined : at };
      }
    }
  } finally {
    await store.close();
  }
}

/** The newest run; without one the session's own file, not one of a sub-agent's. */
function chosen(streams: readonly StoredStream[]): StoredStream | undefined {
  const newest = [...streams].sort((a, b) => (b.firstAt ?? 0) - (a.firstAt ?? 0));
  return (
    newest.find(({ kind }) => kind === 'run') ??
    newest.find(({ kind, about }) => kind === 'transcript' && about === undefined) ??
    newest[0]
  );
}
