// Small files of our own that only save work: private, replaced in one step, and of no matter when they are damaged or missing.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a file holds; nothing when it cannot be read, is no JSON, or could have been written by somebody else. */
export function readPrivate(path: string): unknown {
  try {
    const { mode, uid } = statSync(path);
    if (process.getuid && ((mode & 0o022) !== 0 || uid !== process.getuid())) return undefined;
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Keeps it, whole or not at all. */
export function writePrivate(path: string, value: unknown): void {
  const part = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(part, JSON.stringify(value), { flag: 'wx', mode: 0o600 });
    renameSync(part, path);
  } catch {
    removeQuietly(part);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // There is no such folder.
  }
}
