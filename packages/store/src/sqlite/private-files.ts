// The files of the store are for their owner alone (T-24): transcripts hold secrets.

import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../errors.ts';

/** Makes folder and file where they are missing, both private; refuses those that others may read, and links. */
export function preparePrivateFiles(file: string): void {
  preparePrivateFolder(dirname(file));
  // Nothing is left in a folder that is refused.
  checkPrivateFiles(file);
  createPrivateFile(file);
  checkPrivateFiles(file);
}

/** Refuses a database that others may read or that lies behind a link, with the command that helps in the message. */
export function checkPrivateFiles(file: string): void {
  const [problem] = privacyProblems(file);
  if (problem !== undefined) throw new StoreError('unsafe', problem);
}

/** What is wrong with the modes and owners of the store's folder and files, each as a sentence. */
export function privacyProblems(file: string): readonly string[] {
  if (process.platform === 'win32') return [];
  const folder = folderProblem(dirname(file));
  const files = [file, `${file}-wal`, `${file}-shm`].map(fileProblem);
  return [folder, ...files].filter((problem) => problem !== undefined);
}

function folderProblem(folder: string): string | undefined {
  const itself = look(folder, lstatSync);
  if (itself === undefined) return undefined;
  // A link of one's own may lead to a larger disk; one that somebody else made may lead anywhere.
  if (itself.isSymbolicLink() && !isOurs(itself)) return `${folder} is a link that another user made: refused.`;
  const target = look(folder, statSync);
  if (target === undefined || !target.isDirectory()) return `${folder} is not a folder: refused.`;
  if (!isOurs(target)) return `${folder} belongs to another user: refused.`;
  if ((target.mode & 0o077) !== 0) return `${folder} is open to other users. Close it: chmod 700 ${quote(folder)}`;
  return undefined;
}

function fileProblem(file: string): string | undefined {
  const itself = look(file, lstatSync);
  if (itself === undefined) return undefined;
  if (itself.isSymbolicLink()) return `${file} is a link: refused. Name the file that it leads to.`;
  if (!itself.isFile()) return `${file} is not a file: refused.`;
  if (!isOurs(itself)) return `${file} belongs to another user: refused.`;
  if ((itself.mode & 0o077) !== 0) return `${file} is open to other users. Close it: chmod 600 ${quote(file)}`;
  return undefined;
}

function preparePrivateFolder(folder: string): void {
  if (look(folder, lstatSync) !== undefined) return;
  mkdirSync(dirname(folder), { recursive: true });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process made it first: it is checked like any that was there.
    if (isCode(error, 'EEXIST')) return;
    throw error;
  }
  // A umask can take the owner's own rights away.
  chmodSync(folder, 0o700);
  syncFolder(dirname(folder));
}

/** SQLite gives the -wal and -shm files the mode of the database, so it is enough that this one is made by us. */
function createPrivateFile(file: string): void {
  const { O_CREAT, O_EXCL, O_RDWR } = constants;
  let descriptor: number;
  try {
    // Exclusive: a link in the way is not followed, even one that leads nowhere.
    descriptor = openSync(file, O_CREAT | O_EXCL | O_RDWR, 0o600);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return;
    throw error;
  }
  try {
    fchmodSync(descriptor, 0o600);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(file));
}

/** A new name outlives a power cut only after its folder was synced. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function look(path: string, how: (path: string) => Stats): Stats | undefined {
  try {
    return how(path);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isOurs(stats: Stats): boolean {
  return stats.uid === process.geteuid?.();
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** As a shell reads it. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
