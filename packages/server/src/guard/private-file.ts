// Files that are for their owner alone (T-24): no link is followed, and one that others may read or write is refused, with the command
// that helps.

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { TailraceError } from '@tailrace/runner';

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_WRONLY } = constants;
const isWindows: boolean = process.platform === 'win32';

/** Opens a file to add to its end, and makes it where there is none. Throws a {@link TailraceError} for one that is not safe. */
export function openToAppend(file: string): { readonly descriptor: number; readonly bytes: number } {
  const descriptor = openOwn(file, O_WRONLY | O_APPEND) ?? create(file, O_APPEND);
  return { descriptor, bytes: fstatSync(descriptor).size };
}

/** Opens a file to read it; nothing when there is none. One that is being put in its place may have two names for a moment. */
export function openToRead(
  file: string,
  { maxNames = 1 }: { readonly maxNames?: number } = {},
): { readonly descriptor: number; readonly bytes: number } | undefined {
  const descriptor = openOwn(file, O_RDONLY, maxNames);
  return descriptor === undefined ? undefined : { descriptor, bytes: fstatSync(descriptor).size };
}

/** Writes a whole file beside the old one, and puts it in its place: nobody ever sees a part of it. */
export function replaceFile(file: string, text: string): void {
  const fresh = `${file}.${randomUUID()}.new`;
  const descriptor = create(fresh, 0);
  try {
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // A link in the way is replaced, and not followed.
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}

function openOwn(file: string, flags: number, maxNames = 1): number | undefined {
  checkFolder(dirname(file));
  let descriptor: number;
  try {
    descriptor = openSync(file, flags | O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'ELOOP') throw unsafe(`${file} is a link: refused. Remove it: rm ${file}`, error);
    throw error;
  }
  // Of what is open, not of what lies there by now.
  const problem = problemWith(file, fstatSync(descriptor), maxNames);
  if (problem === undefined) return descriptor;
  closeSync(descriptor);
  throw unsafe(problem);
}

/** Exclusive: whatever lies in the way is not written to. */
function create(file: string, flags: number): number {
  checkFolder(dirname(file));
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | flags, 0o600);
  // A umask can take the owner's own rights away.
  fchmodSync(descriptor, 0o600);
  return descriptor;
}

function problemWith(file: string, stats: Stats, maxNames: number): string | undefined {
  if (!stats.isFile()) return `${file} is not a file: refused.`;
  if (isWindows) return undefined;
  if (stats.uid !== process.geteuid?.()) return `${file} belongs to another user: refused.`;
  // Another name of it may lie where others write.
  if (stats.nlink > maxNames) return `${file} has another name somewhere else: refused.`;
  if ((stats.mode & 0o077) !== 0) return `${file} is open to other users. Look at it, then close it: chmod 600 ${file}`;
  return undefined;
}

/** Whoever may write to a folder can put another file in the place of any. */
function checkFolder(folder: string): void {
  if (isWindows) return;
  const itself = lstatSync(`${folder}/.`);
  if (itself.uid !== process.geteuid?.()) throw unsafe(`${folder} belongs to another user: refused.`);
  if ((itself.mode & 0o022) !== 0) throw unsafe(`others may write to ${folder}. Close it: chmod 700 ${folder}`);
}

/** A new name outlives a power cut only after its folder was synced. */
function syncFolder(folder: string): void {
  if (isWindows) return;
  const descriptor = openSync(folder, O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unsafe(message: string, cause?: unknown): TailraceError {
  return new TailraceError('unsafe-file', message, { cause });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
