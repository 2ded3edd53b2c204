// Reads a file that grows, by byte offset, and hands out whole lines, each once and in order. Joined, they are the file. A file
// that was cut, rewritten or replaced is a new one of the same name: its lines come again, under the next generation.

import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type Cursor, digest, type FileFacts, factsOf, parseCursor } from './cursor.ts';
import { openFile } from './open-file.ts';

export interface TailOptions {
  readonly path: string;
  /** How far it was read before, as a piece told it. */
  readonly cursor?: string | undefined;
  /** The generation to begin with where there is no cursor. */
  readonly generation?: number | undefined;
  /** A line is handed out in parts of this size when it is longer: whoever joins them has it whole. */
  readonly maxLineBytes?: number | undefined;
  /** About as much is read at a time, unless a line is longer. */
  readonly pieceBytes?: number | undefined;
  /** How many bytes at both ends are looked at to know the file again. */
  readonly windowBytes?: number | undefined;
  readonly open?: ((path: string) => Promise<FileHandle>) | undefined;
}

/** What one reading gave. */
export interface TailPiece {
  readonly generation: number;
  /** Where the first of the lines begins. */
  readonly offset: number;
  /** Whole, each with its line feed; but for the parts of a line over the limit. */
  readonly lines: readonly Uint8Array[];
  /** How far that is, for the next tail of this file. Absent while nothing was handed out. */
  readonly cursor?: string | undefined;
  /** Bytes of a last line that is not whole yet. */
  readonly waiting: number;
  /** There is more to be read at once. */
  readonly isMore: boolean;
}

export interface Tail {
  /** The next lines, or no lines when nothing new is there; nothing at all when there is no file. Calls at the same time share one reading. */
  read(): Promise<TailPiece | undefined>;
}

const MAX_LINE_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
const WINDOW_BYTES = 1024;
const MOST_LINES = 10_000;
const LINE_FEED = 10;

/** Where a reading begins, with the bytes at both ends of what is before. */
interface Place {
  readonly generation: number;
  readonly offset: number;
  readonly sum: number;
  readonly head: Buffer;
  readonly before: Buffer;
}

/** Follows one file. Nothing is held open between two readings. */
export function createTail(options: TailOptions): Tail {
  const { path, maxLineBytes = MAX_LINE_BYTES, pieceBytes = PIECE_BYTES, windowBytes = WINDOW_BYTES } = options;
  const open = options.open ?? openFile;
  const firstGeneration = options.generation ?? 1;
  let cursor = parseCursor(options.cursor);
  /** So much of an unfinished line has no end in it: a long line that grows slowly is not searched again and again. */
  let searched = { from: 0, bytes: 0, file: '', changed: '' };
  let reading: Promise<TailPiece | undefined> | undefined;

  return {
    read() {
      reading ??= readOnce().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };

  async function readOnce(): Promise<TailPiece | undefined> {
    const handle = await openIfThere();
    if (!handle) return undefined;
    try {
      // Somebody may write the file anew while it is read. What was read is then no part of any file, and is read again.
      for (let attempt = 0; attempt < 10; attempt++) {
        const piece = await readPiece(handle);
        if (piece) return piece;
      }
      return nothingNew(0);
    } finally {
      await handle.close();
    }
  }

  async function openIfThere(): Promise<FileHandle | undefined> {
    try {
      return await open(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
  }

  /** Nothing when the file changed under the reading. */
  async function readPiece(handle: FileHandle): Promise<TailPiece | undefined> {
    const facts = factsOf(await handle.stat({ bigint: true }));
    const known = cursor && (await findPlace(handle, facts, cursor));
    const place = known ?? beginning(cursor ? cursor.generation + 1 : firstGeneration);
    const bytes = await readLines(handle, facts, place);
    if (!bytes) {
      // The time of a change that brought no line is kept too. A file in the place of the old one counts from its first line on.
      if (cursor && known) cursor = { ...cursor, ...facts, isOpen: undefined };
      return nothingNew(facts.size - place.offset);
    }
    const { lines, size } = split(bytes);
    const taken = bytes.subarray(0, size);
    if (!(await isStill(handle, facts, place, taken))) return undefined;
    const offset = place.offset + size;
    const left = facts.size - offset;
    cursor = {
      generation: place.generation,
      offset,
      ...facts,
      isOpen: left > 0 || undefined,
      head: digest(Buffer.concat([place.head, taken.subarray(0, windowBytes)]).subarray(0, windowBytes)),
      before: digest(Buffer.concat([place.before, taken.subarray(-windowBytes)]).subarray(-windowBytes)),
      sum: crc32(taken, place.sum),
    };
    // Whether the rest is a line or half of one is for the next reading to say.
    return {
      generation: place.generation,
      offset: place.offset,
      lines,
      cursor: JSON.stringify(cursor),
      waiting: left,
      isMore: left > 0,
    };
  }

  function nothingNew(waiting: number): TailPiece {
    const generation = cursor?.generation ?? firstGeneration;
    const text = cursor && JSON.stringify(cursor);
    return { generation, offset: cursor?.offset ?? 0, lines: [], cursor: text, waiting, isMore: false };
  }

  /** The place in this file that the cursor means, unless it is another file by now. */
  async function findPlace(handle: FileHandle, facts: FileFacts, at: Cursor): Promise<Place | undefined> {
    if (facts.size < at.offset) return undefined;
    const width = Math.min(windowBytes, at.offset);
    const head = await readAt(handle, 0, width);
    const before = await readAt(handle, at.offset - width, width);
    if (digest(head) !== at.head || digest(before) !== at.before) return undefined;
    // A copy in its place, or a change without growth: then every byte is compared.
    const isDoubtful = facts.file !== at.file || (facts.size === at.size && facts.changed !== at.changed);
    if (isDoubtful && (await sumOf(handle, at.offset)) !== at.sum) return undefined;
    return { generation: at.generation, offset: at.offset, sum: at.sum, head, before };
  }

  /** The bytes from the place on, with a line end among them or as long as a line may be; nothing while there is only half a line. */
  async function readLines(handle: FileHandle, facts: FileFacts, place: Place): Promise<Buffer | undefined> {
    const unsearched = facts.size - place.offset - searched.bytes;
    const isSearched =
      searched.from === place.offset &&
      searched.file === facts.file &&
      (unsearched > 0 || (unsearched === 0 && searched.changed === facts.changed));
    const skipped = isSearched ? searched.bytes : 0;
    const longest = Math.min(facts.size - place.offset, maxLineBytes + 1);
    let found = skipped;
    const pieces: Buffer[] = [];
    while (found < longest) {
      const piece = await readAt(handle, place.offset + found, Math.min(pieceBytes, facts.size - place.offset - found));
      if (piece.length === 0) break;
      pieces.push(piece);
      found += piece.length;
      if (piece.includes(LINE_FEED)) return joined();
    }
    if (found > maxLineBytes) return joined();
    searched = { from: place.offset, bytes: found, file: facts.file, changed: facts.changed };
    return undefined;

    async function joined(): Promise<Buffer> {
      if (skipped > 0) pieces.unshift(await readAt(handle, place.offset, skipped));
      return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    }
  }

  function split(bytes: Buffer): { readonly lines: readonly Uint8Array[]; readonly size: number } {
    const lines: Uint8Array[] = [];
    let start = 0;
    while (lines.length < MOST_LINES) {
      const end = bytes.indexOf(LINE_FEED, start);
      // The line feed itself is on top of what a line may have.
      const isTooLong = (end < 0 ? bytes.length : end) - start > maxLineBytes;
      if (end < 0 && !isTooLong) break;
      const next = isTooLong ? start + maxLineBytes : end + 1;
      lines.push(bytes.subarray(start, next));
      start = next;
    }
    return { lines, size: start };
  }
}

function beginning(generation: number): Place {
  return { generation, offset: 0, sum: 0, head: Buffer.alloc(0), before: Buffer.alloc(0) };
}

/** Whether what was read is what lies there: looked at again only when somebody has written meanwhile. */
async function isStill(handle: FileHandle, facts: FileFacts, place: Place, taken: Buffer): Promise<boolean> {
  const now = factsOf(await handle.stat({ bigint: true }));
  if (now.size === facts.size && now.changed === facts.changed) return true;
  // As it is known again at the next reading: by both ends of what is before.
  const head = await readAt(handle, 0, place.head.length);
  if (!head.equals(place.head)) return false;
  const start = place.offset - place.before.length;
  const again = await readAt(handle, start, place.before.length + taken.length);
  return again.equals(Buffer.concat([place.before, taken]));
}

async function sumOf(handle: FileHandle, size: number): Promise<number> {
  let sum = 0;
  for (let offset = 0; offset < size; ) {
    const piece = await readAt(handle, offset, Math.min(PIECE_BYTES, size - offset));
    if (piece.length === 0) break;
    sum = crc32(piece, sum);
    offset += piece.length;
  }
  return sum;
}

/** As many bytes as there are, up to a size. */
async function readAt(handle: FileHandle, offset: number, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(buffer, length, size - length, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
