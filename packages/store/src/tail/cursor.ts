// How far a file was read, as it is kept beside the lines: enough to go on at the right byte, and to notice that the file is no
// longer the one that was read. A name says nothing, and the number of a deleted file is soon given to another.

import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

export interface Cursor {
  /** 1 for the first file of this name, 2 for the one that took its place … */
  readonly generation: number;
  /** The byte after the last line that was handed out. */
  readonly offset: number;
  /** The file's own number. */
  readonly file: string;
  /** Size and time of the last change when it was read: a file that still has both needs not be opened. */
  readonly size: number;
  readonly changed: string;
  /** Digests of the first bytes, and of the last ones before the offset. */
  readonly head: string;
  readonly before: string;
  /** There is more behind the offset that nobody has looked through: the file is not done with, changed or not. */
  readonly isOpen?: boolean | undefined;
  /** Checksum of everything before the offset, which can be carried on from line to line. */
  readonly sum: number;
}

/** The cursor as it is kept, or nothing when it is not one: then the file is read from its beginning. */
export function parseCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isCursor(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCursor(value: unknown): value is Cursor {
  if (typeof value !== 'object' || value === null) return false;
  // The cast only adds names: each field is looked at.
  const { generation, offset, file, size, changed, head, before, sum } = value as { [K in keyof Cursor]?: unknown };
  return (
    [generation, offset, size, sum].every((count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
    [file, changed, head, before].every((word) => typeof word === 'string')
  );
}

/** What is known of a file without reading it. */
export type FileFacts = Pick<Cursor, 'file' | 'size' | 'changed'>;

export function factsOf(stats: BigIntStats): FileFacts {
  return { file: `${stats.dev}:${stats.ino}`, size: Number(stats.size), changed: String(stats.mtimeNs) };
}

/** Whether all of the file was looked through, and nothing was written to it since. */
export function isUnchanged(cursor: Cursor, { file, size, changed }: FileFacts): boolean {
  return !cursor.isOpen && cursor.file === file && cursor.size === size && cursor.changed === changed;
}

/** A short digest that nobody meets by chance. */
export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
}
