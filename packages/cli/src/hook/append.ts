// Puts a line at the end of the spool: one write, to a file that nobody else can have put there or can write to.
// Not synchronous: a disk that hangs must not keep the timer from being heard.

import { constants, type Stats } from 'node:fs';
import { chmod, type FileHandle, lstat, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Spool {
  readonly folder: string;
  readonly file: string;
}

/** Appends a whole line. Rejects when it cannot be done, or when it would not be safe (T-24). */
export async function appendLine(home: string, spool: Spool, line: Buffer): Promise<void> {
  const file = await openSpool(home, spool);
  try {
    const facts = await file.stat();
    refuseUnless(facts.isFile() && facts.nlink === 1 && isOurs(facts));
    // Nobody else could write, but they could read.
    if ((facts.mode & 0o077) !== 0) await file.chmod(0o600);
    const { bytesWritten } = await file.write((await isCut(file, facts.size)) ? Buffer.concat([LINE_END, line]) : line);
    refuseUnless(bytesWritten >= line.length);
  } finally {
    await file.close();
  }
}

/** Not through a link, and without waiting: nobody may be at the other end of a pipe. */
const FLAGS = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens what is there, as there is but once nothing. What has to be made is made step by step, each one looked at. */
async function openSpool(home: string, spool: Spool): Promise<FileHandle> {
  try {
    await checkFolders(home, spool);
    return await open(spool.file, FLAGS);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await makeFolder(home);
  refuseUnless(isOurs(await stat(home)));
  await makeFolder(spool.folder);
  await checkFolders(home, spool);
  return open(spool.file, FLAGS | constants.O_CREAT, 0o600);
}

async function checkFolders(home: string, spool: Spool): Promise<void> {
  // The person may keep the data elsewhere behind a link; within it there is no reason for one.
  const [above, folder] = await Promise.all([stat(home), lstat(spool.folder)]);
  refuseUnless(isOurs(above) && folder.isDirectory() && isOurs(folder));
  if ((folder.mode & 0o077) !== 0) await chmod(spool.folder, 0o700);
}

/** Node's own way to make the folders above it too never ends where none can be made: in `/proc`, for one. */
export async function makeFolder(path: string, isLast = false): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || isLast || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

const LINE_END = Buffer.from('\n');

/** Whether the last line has no end: the disk was full in the middle of it. The next one is not to be lost with it. */
async function isCut(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== LINE_END[0];
}

/** Owned by this account, and nobody else may write. */
function isOurs({ uid, mode }: Stats): boolean {
  const account = process.getuid?.();
  return account === undefined || (uid === account && (mode & 0o022) === 0);
}

function refuseUnless(isSafe: boolean): void {
  if (!isSafe) throw new Error('the spool is not safe to write to');
}
