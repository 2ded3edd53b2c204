// The lines of several streams in the order of the record. Of each stream a piece of bounded size is in memory.

import type { FoldedLine } from '../../project/fold-session.ts';
import type { Connection } from '../connection.ts';
import { sources } from '../schema.ts';

interface LinesWanted {
  /** `streams.id`. */
  readonly id: number;
  readonly name: string;
  readonly fromSeq: number;
}

export interface SessionLines {
  /** The lines of these streams up to a position. */
  read(streams: readonly LinesWanted[], target: number): Generator<FoldedLine, void>;
  /** The position of the first line of a stream from a number on; nothing when it has none. */
  firstPosition(stream: number, fromSeq: number): number | undefined;
}

/** All pieces together, unless single lines are larger. */
const PIECE_BYTES: number = 2 * 1024 * 1024;
const PIECE_LINES = 1_000;

interface LineRow {
  readonly position: number;
  readonly seq: number;
  readonly at: number;
  readonly source: number;
  readonly bytes: Uint8Array;
}

interface Reader extends LinesWanted {
  piece: LineRow[];
  next: number;
  fromSeq: number;
}

export function createSessionLines({ raw }: Connection): SessionLines {
  const lines = raw.prepare<[number, number, number], LineRow>(
    `SELECT position, seq, at, source, bytes FROM lines WHERE stream = ? AND seq >= ? AND position <= ? ORDER BY seq`,
  );
  const first = raw
    .prepare<[number, number], number>('SELECT position FROM lines WHERE stream = ? AND seq >= ? ORDER BY seq LIMIT 1')
    .pluck();

  function fill(reader: Reader, target: number, limit: number): void {
    reader.piece = [];
    reader.next = 0;
    let bytes = 0;
    for (const row of lines.iterate(reader.id, reader.fromSeq, target)) {
      reader.piece.push(row);
      bytes += row.bytes.length;
      if (bytes >= limit || reader.piece.length >= PIECE_LINES) break;
    }
    reader.fromSeq = (reader.piece.at(-1)?.seq ?? reader.fromSeq) + 1;
  }

  return {
    firstPosition: (stream, fromSeq) => first.get(stream, fromSeq),
    *read(streams, target) {
      const limit = PIECE_BYTES / Math.max(streams.length, 1);
      const readers = streams.map((stream): Reader => ({ ...stream, piece: [], next: 0 }));
      let open = readers;
      for (;;) {
        for (const reader of open) if (reader.next >= reader.piece.length) fill(reader, target, limit);
        open = open.filter(({ piece }) => piece.length > 0);
        const [one] = open;
        if (!one) return;
        const reader = open.length === 1 ? one : open.reduce((a, b) => (positionOf(a) <= positionOf(b) ? a : b));
        // As long as it is its turn, and its piece lasts.
        const others = open.filter((other) => other !== reader).map(positionOf);
        const until = others.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...others);
        for (; reader.next < reader.piece.length && positionOf(reader) <= until; reader.next++) {
          const row = reader.piece[reader.next];
          if (row) yield { ...row, stream: reader.name, source: sources[row.source] ?? 'host' };
        }
      }
    },
  };
}

function positionOf({ piece, next }: Reader): number {
  return piece[next]?.position ?? Number.POSITIVE_INFINITY;
}
