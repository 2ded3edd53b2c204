// Many rows in one statement: the way from JavaScript to SQLite and back is a large part of what a small line costs.

import type { NewLine } from '../contract.ts';
import type { Connection } from './connection.ts';
import { sources } from './schema.ts';

/** Inserts lines with consecutive numbers; gives the position of the last. */
export type InsertLines = (stream: number, firstSeq: number, lines: readonly NewLine[]) => number;

const ROWS = 20;
const COLUMNS = 5;

/** Prepares the statements once. */
export function prepareInsert({ raw }: Connection): InsertLines {
  const [one, many] = [1, ROWS].map((rows) =>
    raw.prepare(
      `INSERT INTO lines (stream, seq, at, source, bytes) VALUES ${Array(rows).fill('(?, ?, ?, ?, ?)').join(', ')}`,
    ),
  );

  return (stream, firstSeq, lines) => {
    const values: unknown[] = new Array(ROWS * COLUMNS);
    const manyEnd = lines.length - (lines.length % ROWS);
    let position: number | bigint | undefined = 0;
    let seq = firstSeq;
    let place = 0;
    for (const { at, source, bytes } of lines) {
      const number = sources.indexOf(source);
      if (seq - firstSeq >= manyEnd) {
        position = one?.run(stream, seq, at, number, bytes).lastInsertRowid;
      } else {
        values[place++] = stream;
        values[place++] = seq;
        values[place++] = at;
        values[place++] = number;
        values[place++] = bytes;
        if (place === values.length) {
          position = many?.run(values).lastInsertRowid;
          place = 0;
        }
      }
      seq++;
    }
    return Number(position);
  };
}
