// Remembers which folders somebody has said yes to, and to what in them.

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, TailraceError } from './errors.ts';
import type { FolderLook } from './trust.ts';

export interface Trust {
  /** Whether the folder may be worked in, and if not, why it has to be asked about. */
  check(look: FolderLook): Promise<TrustAnswer>;
  /** Somebody has said yes to what this look showed. */
  remember(look: FolderLook): Promise<void>;
}

export interface TrustAnswer {
  readonly isTrusted: boolean;
  /** `nothing`: the folder brings no code. `new`: nobody was asked. `changed`: it brings something else than it did. */
  readonly reason: 'nothing' | 'agreed' | 'new' | 'changed';
  /** What is wrong with the list, if something is: then nothing in it counts. */
  readonly warning?: string | undefined;
}

/** Keeps the list in a file that is private to the person. */
export function createTrust({ file }: { readonly file: string }): Trust {
  return {
    async check(look) {
      if (look.brought.length === 0) return { isTrusted: true, reason: 'nothing' };
      const { folders, warning } = await readList(file);
      const agreed = folders.get(look.folder);
      const isTrusted = agreed === look.digest;
      const reason = isTrusted ? 'agreed' : agreed === undefined ? 'new' : 'changed';
      return { isTrusted, reason, ...(warning !== undefined && { warning }) };
    },
    async remember(look) {
      // A damaged list is not mended but begun anew: whatever it said, nobody can vouch for it.
      const { folders } = await readList(file);
      folders.set(look.folder, look.digest);
      await writePrivately(file, JSON.stringify({ version: 1, folders: [...folders] }, null, 2));
    },
  };
}

const MAX_LIST = 16 * 1024 * 1024;

interface TrustList {
  readonly folders: Map<string, string>;
  readonly warning?: string;
}

async function readList(file: string): Promise<TrustList> {
  try {
    const text = await readPrivately(file);
    return { folders: text === undefined ? new Map() : parseList(text) };
  } catch (error) {
    return { folders: new Map(), warning: `the list of trusted folders counts for nothing: ${messageOf(error)}` };
  }
}

/** The text of a file that nobody else could have written; undefined when there is none. */
async function readPrivately(file: string): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new TailraceError('trust-file-damaged', `${file} cannot be read (${error.code}); remove it`, {
        cause: error,
      });
    },
  );
  if (handle === undefined) return undefined;
  try {
    const about = await handle.stat();
    if (!about.isFile() || about.size > MAX_LIST)
      throw new TailraceError('trust-file-damaged', `${file} is not what it should be; remove it`);
    // Windows has no such modes.
    const isOpen = process.platform !== 'win32' && (about.mode & 0o022) !== 0;
    const isForeign = process.getuid !== undefined && about.uid !== process.getuid() && about.uid !== 0;
    if (isOpen || isForeign)
      throw new TailraceError('trust-file-open', `others may write to ${file}; look at it, then: chmod 600 ${file}`);
    const folder = await stat(dirname(file));
    if (process.platform !== 'win32' && (folder.mode & 0o022) !== 0)
      throw new TailraceError(
        'trust-file-open',
        `others may write to ${dirname(file)}; look at it, then: chmod 700 ${dirname(file)}`,
      );
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function parseList(text: string): Map<string, string> {
  const damaged = new TailraceError('trust-file-damaged', 'it is damaged; the folders are asked about again');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged;
  }
  const folders = typeof value === 'object' && value !== null && 'folders' in value ? value.folders : undefined;
  if (!Array.isArray(folders) || !folders.every(isPair)) throw damaged;
  return new Map(folders);
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string');
}

/** Whole or not at all, and never through a link that somebody has laid. */
async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
