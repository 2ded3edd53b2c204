// A folder may bring code that an agent runs without asking: hooks, servers, settings (T-15). Here is what it brings.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Brought, FolderCode } from '@tailrace/core';
import { TailraceError } from './errors.ts';

/** Something that a folder brings, with the file it stands in. */
export interface BroughtThing extends Brought {
  readonly file: string;
}

export interface FolderLook {
  /** The folder itself, whatever links lead to it. */
  readonly folder: string;
  readonly brought: readonly BroughtThing[];
  /** Changes with the content of any file that brings something. */
  readonly digest: string;
}

export interface LookOptions {
  /** Folders whose files are the person's own, wherever they work: their home's settings are nobody else's code. */
  readonly own?: readonly string[] | undefined;
  /** Folders that the agent is given beside the one it works in. */
  readonly added?: readonly string[] | undefined;
}

/** What an agent would take from a folder and those above it. */
export async function lookAtFolder(
  code: FolderCode,
  cwd: string,
  { own = [], added = [] }: LookOptions = {},
): Promise<FolderLook> {
  const folder = await realpath(cwd);
  const mine = await Promise.all(own.map((one) => realpath(one).catch(() => one)));
  const brought: BroughtThing[] = [];
  const digest = createHash('sha256');
  const places = await withWorktrees([...withParents(folder), ...added.map((one) => resolve(folder, one))]);
  for (const place of places)
    for (const name of [...code.files, ...(await namesIn(code, place))]) {
      const file = join(place, name);
      if (mine.some((one) => isBelow(file, one))) continue;
      const content = await readContent(file);
      if (content === undefined) continue;
      const things = 'text' in content ? code.read(name, content.text) : [itself(name, content.fault)];
      if (things.length === 0) continue;
      brought.push(...things.map((thing) => ({ ...thing, file })));
      const parts = [file, 'text' in content ? content.text : content.fault, ...things.flatMap(Object.values)];
      digest.update(JSON.stringify(parts));
    }
  return { folder, brought, digest: digest.digest('hex') };
}

/** Settings are small; what is larger was not written by a person. */
export const MAX_FOLDER_FILE: number = 1024 * 1024;

/** As many files of one folder are looked at; more than that no person has read either. */
const MAX_FILES = 1_000;

/** The files in the folders that the agent takes texts from. */
async function namesIn({ folders = [] }: FolderCode, place: string): Promise<string[]> {
  const names: string[] = [];
  for (const { path, ending } of folders) {
    const entries = await readdir(join(place, path), { recursive: true }).catch(() => []);
    const found = entries.filter((entry) => entry.endsWith(ending)).sort();
    if (found.length > MAX_FILES)
      throw new TailraceError(
        'too-much',
        `${join(place, path)} holds ${found.length} files, more than anybody can agree to`,
      );
    names.push(...found.map((entry) => join(path, entry)));
  }
  return names;
}

/** With the places that linked worktrees come from: `.git` is a file there, which leads to the repository. */
async function withWorktrees(places: readonly string[]): Promise<readonly string[]> {
  const sources = await Promise.all(places.map(sourceOf));
  return [...new Set([...places, ...sources.flatMap((one) => (one === undefined ? [] : withParents(one)))])];
}

async function sourceOf(place: string): Promise<string | undefined> {
  const link = await readContent(join(place, '.git'));
  const told = link && 'text' in link ? /^gitdir: (.+)$/m.exec(link.text)?.[1] : undefined;
  if (told === undefined) return undefined;
  const folder = resolve(place, told.trim());
  const common = await readContent(join(folder, 'commondir'));
  const repository = common && 'text' in common ? resolve(folder, common.text.trim()) : folder;
  return dirname(repository);
}

function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

function isBelow(file: string, folder: string): boolean {
  const way = relative(folder, file);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

const itself = (name: string, fault: string): Brought => ({ kind: 'setting', name, detail: fault });

/** Undefined when there is no such file. */
async function readContent(file: string): Promise<{ text: string } | { fault: string } | undefined> {
  let handle: FileHandle | undefined;
  try {
    // A pipe in its place must not make us wait for somebody who writes.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const about = await handle.stat();
    if (!about.isFile()) return { fault: 'is no file' };
    // One byte more than may be there tells that there is more.
    const buffer = Buffer.alloc(Math.min(about.size, MAX_FOLDER_FILE) + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    if (bytesRead > MAX_FOLDER_FILE)
      return { fault: `is too large to be looked at (${about.size} bytes, ${about.mtimeMs})` };
    return { text: buffer.toString('utf8', 0, bytesRead) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { fault: `cannot be read (${code})` };
  } finally {
    await handle?.close();
  }
}
