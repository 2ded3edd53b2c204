// Takes every stream and every line that can still be read out of damaged pages, into a new database.

import type BetterSqlite3 from 'better-sqlite3';
import { sources } from '../schema.ts';
import type { StreamRow } from '../stream-row.ts';
import type { Pages } from './pages.ts';
import { type FoundRow, rowsOf } from './rows.ts';

/** The streams of a database whose tree may be broken. */
export function findStreams(pages: Pages): Map<number, StreamRow> {
  const streams = new Map<number, StreamRow>();
  for (let number = 1; number <= pages.count; number++) {
    for (const row of rowsOf(pages, number)) {
      const stream = asStream(row);
      if (stream !== undefined) streams.set(stream.id, stream);
    }
  }
  return streams;
}

/** Copies the lines with their positions; gives their number. */
export function copyLines(pages: Pages, into: BetterSqlite3.Database): number {
  const insert = into.prepare(
    'INSERT OR IGNORE INTO lines (position, stream, seq, at, source, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let lines = 0;
  const copySome = into.transaction((from: number, to: number) => {
    for (let number = from; number <= to; number++) {
      for (const row of rowsOf(pages, number)) {
        if (isLine(row)) lines += insert.run(row.rowid, ...row.values.slice(1)).changes;
      }
    }
  });
  for (let number = 1; number <= pages.count; number += PAGES_AT_ONCE) {
    copySome(number, Math.min(number + PAGES_AT_ONCE - 1, pages.count));
  }
  return lines;
}

const PAGES_AT_ONCE = 1000;

/** A row says nothing about its table: it is known by its shape. The key is the row's own number and stands as nothing. */
function isLine({ rowid, values }: FoundRow): boolean {
  const [key, stream, seq, at, source, bytes] = values;
  return (
    values.length === 6 &&
    key === null &&
    rowid > 0 &&
    isCount(stream) &&
    isCount(seq) &&
    typeof at === 'number' &&
    typeof source === 'number' &&
    sources[source] !== undefined &&
    Buffer.isBuffer(bytes)
  );
}

const STREAM_COLUMNS = [
  'id',
  'name',
  'kind',
  'agent',
  'session_id',
  'path',
  'about',
  'cursor',
  'next_seq',
  'bytes',
  'first_at',
  'last_at',
  'session',
  'lease_token',
  'lease_pid',
  'lease_start',
  'lease_place',
  'lease_at',
] as const;

function asStream({ rowid, values }: FoundRow): StreamRow | undefined {
  const [key, name, kind] = values;
  const isStream =
    values.length === STREAM_COLUMNS.length &&
    key === null &&
    typeof name === 'string' &&
    (kind === 'run' || kind === 'transcript' || kind === 'hook') &&
    isCount(values[8]);
  if (!isStream) return undefined;
  // The columns are those of the table, in its order.
  return {
    ...Object.fromEntries(STREAM_COLUMNS.map((column, index) => [column, values[index]])),
    id: rowid,
  } as StreamRow;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
