// The events of a session, as they were kept.

import type { SessionEvents } from '../../contract.ts';
import { parseChunk, wholeOf } from '../../project/chunks.ts';
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
  const lineAt = lineReader(raw);
  for (let position = after; ; ) {
    const row = next.get(id, position);
    if (!row) return;
    yield parseChunk(unpack(row.packed === 1, row.data), { after: position }).map((line) => wholeOf(line, lineAt));
    position = row.last;
  }
}

/** The last lines that have so many events together, read from the last chunk backwards. */
export function readLastEvents({ raw }: Connection, id: string, count: number): readonly SessionEvents[] {
  const before = raw.prepare<[string, number], Row>(
    `SELECT e.last, e.packed, e.data FROM sessions s JOIN events e ON e.build = s.build
     WHERE s.id = ? AND e.last < ? ORDER BY e.last DESC LIMIT 1`,
  );
  const lineAt = lineReader(raw);
  const lines: SessionEvents[] = [];
  let events = 0;
  for (let position = Number.POSITIVE_INFINITY; events < count; ) {
    const row = before.get(id, position);
    if (!row) break;
    for (const line of [...parseChunk(unpack(row.packed === 1, row.data), { after: 0 })].reverse()) {
      if (events >= count) break;
      lines.push(wholeOf(line, lineAt));
      if (Number.isInteger(line.position)) events += line.events.length;
    }
    position = row.last;
  }
  return lines.reverse();
}

function lineReader(raw: Connection['raw']): (position: number) => Uint8Array | undefined {
  const line = raw.prepare<[number], Uint8Array>('SELECT bytes FROM lines WHERE position = ?').pluck();
  return (position) => line.get(position);
}
