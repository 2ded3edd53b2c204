// How large the store is, and giving room back.

import { statSync } from 'node:fs';
import type { SizeReport } from '../contract.ts';
import type { Connection } from './connection.ts';
import { cutLog } from './forget.ts';

/** Told from what is kept about pages and streams; nothing is read through for it. */
export function measureSize({ raw, file }: Connection): SizeReport {
  const sums = raw
    .prepare<[], { lines: number; bytes: number; streams: number; sessions: number }>(
      `SELECT coalesce(sum(next_seq - 1), 0) AS lines, coalesce(sum(bytes), 0) AS bytes, count(*) AS streams,
         count(DISTINCT coalesce(session, session_id)) AS sessions FROM streams`,
    )
    .get() ?? { lines: 0, bytes: 0, streams: 0, sessions: 0 };
  const pragma = (name: string): number => Number(raw.pragma(name, { simple: true }));
  const pageBytes = pragma('page_size');
  const freeBytes = pragma('freelist_count') * pageBytes;
  return {
    fileBytes: [file, `${file}-wal`].reduce(
      (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
      0,
    ),
    lineBytes: sums.bytes,
    lines: sums.lines,
    streams: sums.streams,
    sessions: sums.sessions,
    // Everything that is not the bytes of a line: what is made of them, the search index, the tree around them.
    indexBytes: Math.max(0, pragma('page_count') * pageBytes - freeBytes - sums.bytes),
    freeBytes,
  };
}

/** Writes the file anew without its free pages. Stops the process while it does. */
export async function vacuum(connection: Connection): Promise<void> {
  await cutLog(connection);
  connection.raw.exec('VACUUM');
  await cutLog(connection);
}
