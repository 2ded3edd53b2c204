// The files of the spool. A hook opens `hooks.ndjson`, writes one line and is gone; but between the two anything may happen to it,
// also that it sleeps for a night. So a file that was put aside is read on, and goes only when nobody has it open any more.

import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, readdir, readlink, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../errors.ts';
import { digest } from '../tail/cursor.ts';
import { openFile } from '../tail/open-file.ts';

export interface SpoolFile {
  readonly path: string;
  /** Stays the same when the file is put aside. */
  readonly id: string;
  /** Hooks write to it: it has its first name. */
  readonly isLive: boolean;
  readonly stats: BigIntStats;
}

const LIVE = 'hooks.ndjson';
const ASIDE = /^hooks-[\w-]{1,200}\.ndjson$/;
/** As much of the first line as tells one file from another: it begins with its time. */
const ID_BYTES = 4096;

/** The files with at least one whole line, those that were put aside first. Fails as `unsafe` where others could have written them. */
export async function spoolFilesIn(folder: string): Promise<readonly SpoolFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found: SpoolFile[] = [];
  for (const name of names.filter((one) => one === LIVE || ASIDE.test(one))) {
    if (found.length === 0) mustBeOurs(folder, await lstat(folder, { bigint: true }));
    const file = await describe(join(folder, name), name === LIVE);
    if (file) found.push(file);
  }
  return found.sort(
    (one, other) => Number(one.isLive) - Number(other.isLive) || Number(one.stats.mtimeNs - other.stats.mtimeNs),
  );
}

/** Opens a file of the spool, if nobody else can have written it (T-24). */
export async function openSpoolFile(path: string): Promise<FileHandle> {
  const handle = await openFile(path);
  try {
    mustBeOurs(path, await handle.stat({ bigint: true }));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Gives the live file another name: hooks begin a new one. */
export async function putAside(folder: string, file: SpoolFile): Promise<void> {
  await rename(file.path, join(folder, `hooks-${file.id}.ndjson`));
}

/** Takes a file away that nobody can write to any more. Says whether it did. */
export async function removeFinal(file: SpoolFile, readUpTo: number): Promise<boolean> {
  if (await isOpenSomewhere(file.stats)) return false;
  // After the last writer was gone: what it wrote is seen now.
  if (Number((await stat(file.path)).size) !== readUpTo) return false;
  await unlink(file.path);
  return true;
}

/** Whether the system can tell who has a file open. */
export const canSeeWriters: boolean = process.platform === 'linux';

async function describe(path: string, isLive: boolean): Promise<SpoolFile | undefined> {
  const handle = await openSpoolFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const stats = await handle.stat({ bigint: true });
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ID_BYTES), 0, ID_BYTES, 0);
    const end = buffer.subarray(0, bytesRead).indexOf(10);
    if (end < 0 && bytesRead < ID_BYTES) return undefined;
    const id = `${stats.ino.toString(36)}-${digest(buffer.subarray(0, end < 0 ? bytesRead : end))}`;
    return { path, id, isLive, stats };
  } finally {
    await handle.close();
  }
}

function mustBeOurs(path: string, { uid, mode }: BigIntStats): void {
  const account = process.getuid?.();
  if (account === undefined || (uid === BigInt(account) && (mode & 0o022n) === 0n)) return;
  throw new StoreError('unsafe', `others can write to ${path}: see who owns it, then chmod go-w ${path}`);
}

/** Looks at what every process has open. Those of other accounts cannot be seen, and cannot open the file either. */
async function isOpenSomewhere({ dev, ino }: BigIntStats): Promise<boolean> {
  if (!canSeeWriters) return false;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      const open = `${folder}/${name}`;
      // The names of pipes and sockets are no paths, and there are many of them.
      if (!(await readlink(open).catch(() => ''))?.startsWith('/')) continue;
      const stats = await stat(open, { bigint: true }).catch(() => undefined);
      if (stats?.dev === dev && stats.ino === ino) return true;
    }
  }
  return false;
}
