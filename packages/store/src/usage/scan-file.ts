// One session file: its bytes are looked through for the marks of lines that count, and only those lines are parsed. A file
// that has grown is read on from where it was left, when what was read before is still there.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { TranscriptUsage } from '@tailrace/core';
import { parseJson } from '../json.ts';
import { createLineReader } from './answer-lines.ts';
import { createCollector, type FileUsage, STRIDE, TIME } from './file-usage.ts';

const LINE_FEED = 10;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const NOWHERE = Number.MAX_SAFE_INTEGER;
/** Small enough to stay in the processor's cache between being read and being looked through. */
const PIECE_BYTES = 1024 * 1024;
/** A longer line is left out, as everywhere else. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** How much of the beginning, and of what comes before the place to go on from, has to be as it was. */
const CHECKED_BYTES = 1024;
/** How far back the time before a total is looked for. */
const LOOK_BACK_BYTES = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

/** What a file tells. `known` is what was found in it before. */
export function scanFile(path: string, reader: TranscriptUsage, known?: FileUsage): FileUsage {
  const fd = openSync(path, 'r');
  try {
    const { dev, ino, size, mtimeMs } = fstatSync(fd);
    // What was changed without growing was changed in its middle: nothing that is known of it holds.
    const hasGrown = known !== undefined && (size > known.size || known.mtimeMs === mtimeMs);
    const isSame =
      hasGrown && known.dev === dev && known.ino === ino && known.offset <= size && hasSameBytes(fd, known);
    const file: FileUsage = isSame && known ? known : createEmpty(path, dev, ino);
    file.size = size;
    file.mtimeMs = mtimeMs;
    readLines(fd, file, reader);
    file.head = digest(fd, 0, Math.min(CHECKED_BYTES, file.offset));
    file.tail = digest(fd, Math.max(0, file.offset - CHECKED_BYTES), file.offset);
    return file;
  } finally {
    closeSync(fd);
  }
}

function createEmpty(path: string, dev: number, ino: number): FileUsage {
  return {
    path,
    dev,
    ino,
    size: 0,
    mtimeMs: 0,
    offset: 0,
    head: '',
    tail: '',
    sessionId: null,
    cwd: null,
    models: [],
    subagents: [],
    ids: [],
    numbers: new Float64Array(),
    totals: [],
  };
}

function hasSameBytes(fd: number, { offset, head, tail }: FileUsage): boolean {
  return (
    digest(fd, 0, Math.min(CHECKED_BYTES, offset)) === head &&
    digest(fd, Math.max(0, offset - CHECKED_BYTES), offset) === tail
  );
}

/** Enough to tell whether bytes are still as they were; there are many files, and a real digest takes ten times as long. */
function digest(fd: number, from: number, to: number): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const byte of readAt(fd, from, to)) {
    high = Math.imul(high ^ byte, 0x9e3779b1);
    low = Math.imul(low ^ byte, 0x5f356495) ^ (high >>> 13);
  }
  return `${(high >>> 0).toString(36)}-${(low >>> 0).toString(36)}`;
}

function readAt(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
}

/** One for all files of a thread: what is read into it is used up before the next piece. */
let buffer = Buffer.allocUnsafe(2 * PIECE_BYTES);

function readLines(fd: number, file: FileUsage, reader: TranscriptUsage): void {
  const answerMark = Buffer.from(reader.marks.answer);
  const totalMark = Buffer.from(reader.marks.total);
  const collector = createCollector(file);
  const read = createLineReader(reader);
  /** Bytes of a line that is not whole yet stand at the beginning of the buffer. */
  let kept = 0;
  let isTooLong = false;
  for (let position = file.offset; ; ) {
    if (buffer.length < kept + PIECE_BYTES) grow();
    // The size was told before: what is written meanwhile is read the next time.
    const count = readSync(fd, buffer, kept, Math.min(PIECE_BYTES, file.size - position), position);
    if (count === 0) break;
    position += count;
    const end = kept + count;
    const last = buffer.lastIndexOf(LINE_FEED, end - 1);
    if (last < kept) {
      isTooLong ||= end > MAX_LINE_BYTES;
      kept = isTooLong ? 0 : end;
      continue;
    }
    let from = 0;
    if (isTooLong) from = buffer.indexOf(LINE_FEED, kept) + 1;
    isTooLong = false;
    lookThrough(buffer.subarray(0, last + 1), from, position - end);
    buffer.copyWithin(0, last + 1, end);
    kept = end - last - 1;
    file.offset = position - kept;
  }
  // A last line without its end counts when it is whole all the same; it is read again when more comes.
  if (kept > 0) readLine(buffer, 0, kept, file.offset);
  closeLastTotal(fd, file, reader);

  function grow(): void {
    const larger = Buffer.allocUnsafe(buffer.length * 2);
    buffer.copy(larger, 0, 0, kept);
    buffer = larger;
  }

  /** `base` is where the bytes stand in the file. */
  function lookThrough(bytes: Buffer, from: number, base: number): void {
    let answer = nextMark(bytes, answerMark, from);
    let total = nextMark(bytes, totalMark, from);
    while (answer < NOWHERE || total < NOWHERE) {
      const hit = answer < total ? answer : total;
      const end = bytes.indexOf(LINE_FEED, hit);
      readLine(bytes, bytes.lastIndexOf(LINE_FEED, hit) + 1, end, base);
      if (answer < end) answer = nextMark(bytes, answerMark, end);
      if (total < end) total = nextMark(bytes, totalMark, end);
    }
  }

  function readLine(bytes: Buffer, start: number, end: number, base: number): void {
    // Some editors put a mark before the first line.
    const isMarked = base + start === 0 && bytes.compare(BYTE_ORDER_MARK, 0, 3, start, Math.min(start + 3, end)) === 0;
    const sighting = read(bytes, isMarked ? start + BYTE_ORDER_MARK.length : start, end);
    if (sighting?.kind === 'answer') collector.addAnswer(sighting);
    else if (sighting) collector.addTotal(sighting, timeBefore(fd, base + start, file, reader));
  }
}

/** The agent's time of the last thing before a total: it is of everything until then. */
function timeBefore(fd: number, offset: number, file: FileUsage, reader: TranscriptUsage): number {
  let time = 0;
  for (let index = 0; index < file.ids.length; index++) time = Math.max(time, file.numbers[index * STRIDE + TIME] ?? 0);
  for (const size of LOOK_BACK_BYTES) {
    const from = Math.max(0, offset - size);
    const bytes = readAt(fd, from, offset);
    const lines = linesOf(bytes, from === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1);
    for (const [start, end] of lines.reverse()) {
      const own = reader.timeOf(parseJson(bytes.toString('latin1', start, end)));
      if (own !== undefined) return Math.max(time, own);
    }
    if (from === 0) break;
  }
  return time;
}

/** A total that no answer follows may still be followed by something: then it is of what came before that. */
function closeLastTotal(fd: number, file: FileUsage, reader: TranscriptUsage): void {
  const total = file.totals.at(-1);
  if (!total || total.isFollowed || total.after < file.ids.length) return;
  const from = Math.max(0, file.size - PIECE_BYTES);
  const bytes = readAt(fd, from, file.size);
  const lines = linesOf(bytes, from === 0 ? 0 : bytes.indexOf(LINE_FEED) + 1);
  for (const [start, end] of lines.reverse()) {
    const line = parseJson(bytes.toString('latin1', start, end));
    if (reader.read(line)?.kind === 'total') return;
    const time = reader.timeOf(line);
    if (time !== undefined && time > total.time) {
      total.isFollowed = true;
      return;
    }
  }
}

/** Where a mark stands next; beyond everything when nowhere. */
function nextMark(bytes: Buffer, mark: Buffer, from: number): number {
  const place = bytes.indexOf(mark, from);
  return place < 0 ? NOWHERE : place;
}

function linesOf(bytes: Buffer, from: number): (readonly [number, number])[] {
  const lines: (readonly [number, number])[] = [];
  for (let start = from; start < bytes.length; ) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    lines.push([start, end]);
    start = end + 1;
  }
  return lines;
}
