// Bytes in any pieces → lines. Linear in the bytes fed however they are cut: the unfinished line lies in one buffer that
// doubles, never in a string that is joined again with each piece. A line over the limit keeps only its first bytes.

import { LONGEST_LINE_BYTES, MAX_LINE_BYTES, PREVIEW_BYTES } from './limits.ts';

/**
 * One physical line, without its line feed and the carriage return before it. The object and its bytes are used again for
 * the next line: whoever wants to keep something copies it.
 */
export interface Line {
  /** Of a line over the limit: its first bytes. */
  readonly bytes: Uint8Array;
  /** Its number, counted from 1, blank lines included. */
  readonly number: number;
  /** Where it begins in the stream. */
  readonly offset: number;
  /** How many bytes it has, without the line feed. */
  readonly size: number;
  readonly tooLong: boolean;
  /** False for a last line without its line feed. */
  readonly terminated: boolean;
}

export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** Hands out the last line if it has no line feed. */
  end(): void;
  /** The byte after the last whole line: where a reader resumes. */
  readonly offset: number;
  /** How many lines were handed out. */
  readonly count: number;
}

export interface LineSplitterOptions {
  readonly maxLineBytes?: number | undefined;
  /** Where the stream begins when it is read from the middle of a file. */
  readonly offset?: number | undefined;
  /** How many lines come before it. */
  readonly line?: number | undefined;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** A buffer up to this size is kept for the next long line: making one anew for each screenshot costs more memory, not less. */
const KEPT_CAPACITY = 8 * 1024 * 1024;
const EMPTY: Uint8Array = new Uint8Array(0);

export function createLineSplitter(receive: (line: Line) => void, options: LineSplitterOptions = {}): LineSplitter {
  const limit = Math.min(options.maxLineBytes ?? MAX_LINE_BYTES, LONGEST_LINE_BYTES);
  let offset = options.offset ?? 0;
  let count = options.line ?? 0;
  let held = EMPTY; // the unfinished line's bytes are held[0, heldLength)
  let heldLength = 0;
  const line = { bytes: EMPTY, number: 0, offset: 0, size: 0, tooLong: false, terminated: true };
  let size = 0; // of the unfinished line; more than heldLength once it is over the limit

  function hold(piece: Uint8Array): void {
    const tooLong = size + piece.length > limit;
    size += piece.length;
    if (tooLong) {
      // Only the preview is of use from here on; the rest of a line of any length costs nothing.
      const preview = held.slice(0, Math.min(heldLength, PREVIEW_BYTES));
      held = new Uint8Array(PREVIEW_BYTES);
      held.set(preview);
      held.set(piece.subarray(0, PREVIEW_BYTES - preview.length), preview.length);
      heldLength = Math.min(preview.length + piece.length, PREVIEW_BYTES);
      return;
    }
    if (heldLength + piece.length > held.length) {
      const grown = new Uint8Array(Math.min(limit, Math.max(1024, 2 * (heldLength + piece.length))));
      grown.set(held.subarray(0, heldLength));
      held = grown;
    }
    held.set(piece, heldLength);
    heldLength += piece.length;
  }

  function hand(bytes: Uint8Array, length: number, terminated: boolean): void {
    const tooLong = length > limit;
    const last = bytes.length - 1;
    const content = !tooLong && terminated && bytes[last] === CARRIAGE_RETURN ? bytes.subarray(0, last) : bytes;
    count++;
    line.bytes = tooLong ? content.subarray(0, PREVIEW_BYTES) : content;
    line.number = count;
    line.offset = offset;
    line.size = length;
    line.tooLong = tooLong;
    line.terminated = terminated;
    offset += terminated ? length + 1 : length;
    receive(line);
  }

  function handHeld(terminated: boolean): void {
    const bytes = held.subarray(0, heldLength);
    const length = size;
    heldLength = 0;
    size = 0;
    hand(bytes, length, terminated);
    if (held.length > KEPT_CAPACITY) held = EMPTY;
  }

  return {
    push(chunk) {
      let start = 0;
      let end = chunk.indexOf(LINE_FEED);
      if (end >= 0 && size > 0) {
        hold(chunk.subarray(0, end));
        handHeld(true);
        start = end + 1;
        end = chunk.indexOf(LINE_FEED, start);
      }
      while (end >= 0) {
        hand(chunk.subarray(start, end), end - start, true);
        start = end + 1;
        end = chunk.indexOf(LINE_FEED, start);
      }
      if (start < chunk.length) hold(chunk.subarray(start));
    },
    end() {
      if (size > 0) handHeld(false);
    },
    get offset() {
      return offset;
    },
    get count() {
      return count;
    },
  };
}
