// The record of a run: every line that was read, written or remarked, with its number, its time and where it came from. The bytes
// of a source, put together again, are what went through the pipe.

import type { HostLine, LineSource } from '@tailrace/core';

/** One row of the record. */
export interface RecordLine {
  /** 1, 2, 3 … over all sources of the run. */
  readonly seq: number;
  /** Epoch milliseconds of arrival. */
  readonly at: number;
  readonly source: LineSource;
  /** With the line feed; a last line may have none, and a line over the limit comes in several rows. */
  readonly bytes: Uint8Array;
}

/** A line that has no number yet. */
export type Arrived = Omit<RecordLine, 'seq'>;

export interface Recorder {
  /** Takes what a pipe gave; gives the lines that became whole. */
  split(source: LineSource, bytes: Uint8Array): readonly Arrived[];
  /** What is left of a pipe that is over. */
  rest(source: LineSource): readonly Arrived[];
  /** Gives a line its place in the record. */
  number(line: Arrived): RecordLine;
  /** A line of our own. */
  host(line: HostLine): RecordLine;
}

const LINE_FEED = 10;

export function createRecorder(now: () => number, maxLineBytes: number): Recorder {
  const tails = new Map<LineSource, { pieces: Uint8Array[]; size: number }>();
  let seq = 0;

  const row = (source: LineSource, bytes: Uint8Array): Arrived => ({ at: now(), source, bytes });
  const number = (line: Arrived): RecordLine => ({ seq: ++seq, ...line });

  function take(source: LineSource, last: Uint8Array): Uint8Array {
    const tail = tails.get(source);
    if (!tail) return last;
    tails.delete(source);
    return Buffer.concat([...tail.pieces, last], tail.size + last.length);
  }

  return {
    split(source, bytes) {
      const rows: Arrived[] = [];
      let start = 0;
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
        rows.push(row(source, take(source, bytes.subarray(start, end + 1))));
        start = end + 1;
      }
      if (start === bytes.length) return rows;
      const rest = bytes.subarray(start);
      const tail = tails.get(source) ?? { pieces: [], size: 0 };
      tail.pieces.push(rest);
      tail.size += rest.length;
      tails.set(source, tail);
      // What nobody will read as one line need not be kept as one: the reader counts it all the same.
      if (tail.size > maxLineBytes) rows.push(row(source, take(source, new Uint8Array())));
      return rows;
    },
    rest(source) {
      const rest = take(source, new Uint8Array());
      return rest.length === 0 ? [] : [row(source, rest)];
    },
    number,
    host: (line) => number(row('host', Buffer.from(`${JSON.stringify(line)}\n`))),
  };
}

/** In bytes. */
export function sizeOf(lines: readonly Arrived[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
