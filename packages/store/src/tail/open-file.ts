// Opens a file that lies in a folder others may write to: what is opened must be a regular file, and lie where its name says.

import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { StoreError } from '../errors.ts';

/** Not through a link at the end of the path, and without waiting: nobody may be at the other end of a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file for reading. */
export async function openFile(path: string): Promise<FileHandle> {
  const handle = await open(path, FLAGS).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ELOOP' ? new StoreError('refused', `${path} is a link`) : error;
  });
  try {
    if (!(await handle.stat()).isFile()) throw new StoreError('refused', `${path} is not a file`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens a regular file below a folder, whose own path is a real one (T-23). A folder on the way may become a link at any moment,
 * and a folder again: so what counts is where the file lies that was opened, not what its name leads to before or after.
 */
export async function openInside(root: string, path: string): Promise<FileHandle> {
  const handle = await openFile(path);
  try {
    const place = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
    if (place === undefined) await checkByName(root, path, handle);
    else if (!isInside(root, place)) throw leadsOut(root, path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Where the system does not tell where an open file lies: it has to be the one that lies at its real path. Somebody could be quick
 * enough to change a folder twice in between, but not each time.
 */
async function checkByName(root: string, path: string, handle: FileHandle): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  for (let round = 0; round < CHECKS; round++) {
    const real = await realpath(path);
    if (!isInside(root, real)) throw leadsOut(root, path);
    // A file that was replaced just now looks the same as a trick; the next reading gets the new one.
    if (!isSameFile(opened, await stat(real, { bigint: true })))
      throw new StoreError('busy', `${path} was replaced while it was opened`);
  }
}

const CHECKS = 20;

function leadsOut(root: string, path: string): StoreError {
  return new StoreError('refused', `${path} leads out of ${root}`);
}

/** Whether a path lies below a folder; both are real paths. Compared by whole names. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}
