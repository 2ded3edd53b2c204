// Reading the record, in pieces of bounded size: a statement stops the process while it runs, and a line may have 64 MB.

import type { StoredLine } from '../contract.ts';
import { READ_BYTES, READ_LINES } from '../limits.ts';
import type { Connection } from './connection.ts';
import { sources } from './schema.ts';

export interface LineReader {
  /** The next piece of one stream from a number on; empty at its end. */
  piece(stream: string, fromSeq: number): readonly StoredLine[];
  line(stream: string, seq: number): StoredLine | undefined;
  after(position: number, limit?: number): readonly StoredLine[];
  last(): number;
}

/** Prepares the statements once. */
export function createLineReader({ raw }: Connection): LineReader {
  const columns = 'l.position, s.name AS stream, l.seq, l.at, l.source, l.bytes';
  const bySeq = raw.prepare<[string, number], LineRow>(
    `SELECT ${columns} FROM streams s JOIN lines l ON l.stream = s.id WHERE s.name = ? AND l.seq >= ? ORDER BY l.seq`,
  );
  const one = raw.prepare<[string, number], LineRow>(
    `SELECT ${columns} FROM streams s JOIN lines l ON l.stream = s.id WHERE s.name = ? AND l.seq = ?`,
  );
  // CROSS keeps the order of the tables: by position, without a sort.
  const byPosition = raw.prepare<[number], LineRow>(
    `SELECT ${columns} FROM lines l CROSS JOIN streams s ON s.id = l.stream WHERE l.position > ? ORDER BY l.position`,
  );
  const last = raw.prepare<[], number>('SELECT max(position) FROM lines').pluck();

  return {
    piece: (stream, fromSeq) => takePiece(bySeq.iterate(stream, fromSeq), READ_LINES),
    line(stream, seq) {
      const row = one.get(stream, seq);
      return row && toLine(row);
    },
    // A statement that was begun and never asked for a row would keep the connection busy.
    after: (position, limit = READ_LINES) =>
      limit < 1 ? [] : takePiece(byPosition.iterate(position), Math.min(limit, READ_LINES)),
    last: () => last.get() ?? 0,
  };
}

function takePiece(rows: Iterable<LineRow>, limit: number): readonly StoredLine[] {
  const piece: StoredLine[] = [];
  let bytes = 0;
  for (const row of rows) {
    piece.push(toLine(row));
    bytes += row.bytes.length;
    if (piece.length >= limit || bytes >= READ_BYTES) break;
  }
  return piece;
}

interface LineRow extends Omit<StoredLine, 'source'> {
  readonly source: number;
}

function toLine(row: LineRow): StoredLine {
  return { ...row, source: sources[row.source] ?? 'host' };
}
