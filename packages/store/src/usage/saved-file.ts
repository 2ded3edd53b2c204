// Small files of our own that only save work: private, replaced in one step, and of no matter when they are damaged or missing.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a file holds; nothing when it cannot be read, is no JSON, or could have been written by somebody else. */
export function readPrivate(path: string): unknown {
  try {
    return JSON.parse(readPrivateBytes(path)?.toString('utf8') ?? 'null');
  } catch {
    return undefined;
  }
}

/** The same for a file that is no JSON. */
export function readPrivateBytes(path: string): Buffer | undefined {
  try {
    const { mode, uid } = statSync(path);
    if (process.getuid && ((mode & 0o022) !== 0 || uid !== process.getuid())) return undefined;
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Keeps it, whole or not at all. */
export function writePrivate(path: string, value: unknown): void {
  writePrivateBytes(path, Buffer.from(JSON.stringify(value)));
}

/** The same for bytes. */
export function writePrivateBytes(path: string, bytes: Uint8Array): void {
  const part = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    makeFolder(dirname(path));
    writeFileSync(part, bytes, { flag: 'wx', mode: 0o600 });
    renameSync(part, path);
  } catch {
    removeQuietly(part);
  }
}

/** One by one: where no folder can be made at all, as in /proc, Node's own way of making all of them never ends. */
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let one = folder; !existsSync(one) && dirname(one) !== one; one = dirname(one)) missing.unshift(one);
  for (const one of missing) {
    try {
      mkdirSync(one, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // There is no such folder.
  }
}
