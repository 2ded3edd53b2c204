// The events of a session, as they were kept.

import type { SessionEvents } from '../../contract.ts';
import { readChunk } from '../../project/chunks.ts';
import type { Connection } from '../connection.ts';
import { unpack } from './pack.ts';

interface Row {
  readonly last: number;
  readonly packed: number;
  readonly data: Uint8Array;
}

/** Gives them chunk by chunk, behind a position. One that is made anew meanwhile goes on behind the last chunk that was given. */
export async function* readEvents(
  { raw }: Connection,
  id: string,
  after: number,
): AsyncGenerator<readonly SessionEvents[], void> {
  const next = raw.prepare<[string, number], Row>(
    `SELECT e.last, e.packed, e.data FROM sessions s JOIN events e ON e.build = s.build
     WHERE s.id = ? AND e.last > ? ORDER BY e.last LIMIT 1`,
  );
  const line = raw.prepare<[number], Uint8Array>('SELECT bytes FROM lines WHERE position = ?').pluck();
  for (let position = after; ; ) {
    const row = next.get(id, position);
    if (!row) return;
    yield readChunk(unpack(row.packed === 1, row.data), position, (at) => line.get(at));
    position = row.last;
  }
}
