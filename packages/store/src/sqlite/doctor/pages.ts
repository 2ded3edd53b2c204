// The pages of a database as they lie on the disk, without asking SQLite: it refuses a file whose beginning is damaged, and
// everything behind a damaged frame of the -wal file. https://sqlite.org/fileformat2.html

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface Pages {
  readonly pageBytes: number;
  readonly count: number;
  /** The newest state of a page, from 1 on; nothing when it is not there as a whole. */
  page(number: number): Buffer | undefined;
  close(): void;
}

/** Opens the database's pages, with those of its -wal file in their places. */
export function openPages(file: string): Pages {
  const database = openSync(file, 'r');
  const log = openOrNothing(`${file}-wal`);
  const pageBytes = findPageBytes(database, log);
  const frames = log === undefined ? new Map<number, number>() : findFrames(log, pageBytes);
  const ownPages = Math.ceil(fstatSync(database).size / pageBytes);
  return {
    pageBytes,
    count: [...frames.keys()].reduce((most, number) => Math.max(most, number), ownPages),
    page(number) {
      const frame = frames.get(number);
      if (frame !== undefined && log !== undefined) return readAt(log, frame + FRAME_HEADER_BYTES, pageBytes);
      return readAt(database, (number - 1) * pageBytes, pageBytes);
    },
    close() {
      closeSync(database);
      if (log !== undefined) closeSync(log);
    },
  };
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** The size as either file tells it; when neither can be believed, the one that new databases get. */
function findPageBytes(database: number, log: number | undefined): number {
  const header = readAt(database, 0, 100);
  const told = [
    header?.toString('latin1', 0, 15) === 'SQLite format 3' ? header.readUInt16BE(16) : 0,
    (log === undefined ? undefined : readAt(log, 0, LOG_HEADER_BYTES))?.readUInt32BE(8) ?? 0,
  ];
  // 65536 does not fit its two bytes and is written as 1.
  const sizes = told.map((size) => (size === 1 ? 65_536 : size));
  return sizes.find((size) => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0) ?? 4096;
}

/**
 * Where the newest frame of each page begins, up to the last commit. SQLite stops at the first frame whose checksum is wrong; but
 * lines behind it may have been acknowledged, so here only the damaged frame itself is left out. Each carries on the sum of the
 * one before, which stands in that one's header.
 */
function findFrames(log: number, pageBytes: number): Map<number, number> {
  const header = readAt(log, 0, LOG_HEADER_BYTES);
  if (header === undefined) return new Map();
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1;
  const salts = header.subarray(16, 24);
  const committed = new Map<number, number>();
  const open = new Map<number, number>();
  let before: Sums = [header.readUInt32BE(24), header.readUInt32BE(28)];
  for (let offset = LOG_HEADER_BYTES; ; offset += FRAME_HEADER_BYTES + pageBytes) {
    const frame = readAt(log, offset, FRAME_HEADER_BYTES + pageBytes);
    if (frame === undefined) break;
    const sums = checksum(
      frame.subarray(FRAME_HEADER_BYTES),
      checksum(frame.subarray(0, 8), before, isBigEndian),
      isBigEndian,
    );
    before = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    // Other salts are from an earlier turn: the log is written over and over from its beginning.
    const isWhole = frame.subarray(8, 16).equals(salts) && sums[0] === before[0] && sums[1] === before[1];
    if (!isWhole) continue;
    open.set(frame.readUInt32BE(0), offset);
    if (frame.readUInt32BE(4) === 0) continue;
    for (const [page, at] of open) committed.set(page, at);
    open.clear();
  }
  return committed;
}

type Sums = readonly [number, number];

function checksum(bytes: Buffer, [first, second]: Sums, isBigEndian: boolean): Sums {
  let [a, b] = [first, second];
  const word = (at: number): number => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    a = (a + word(at) + b) >>> 0;
    b = (b + word(at + 4) + a) >>> 0;
  }
  return [a, b];
}

/** Exactly so many bytes, or nothing. */
function readAt(file: number, offset: number, length: number): Buffer | undefined {
  const buffer = Buffer.alloc(length);
  let have = 0;
  try {
    while (have < length) {
      const read = readSync(file, buffer, have, length - have, offset + have);
      if (read === 0) return undefined;
      have += read;
    }
  } catch {
    // A place of the disk that cannot be read any more.
    return undefined;
  }
  return buffer;
}

function openOrNothing(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch {
    return undefined;
  }
}
