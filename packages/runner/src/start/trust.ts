// A folder may bring code that an agent runs without asking: hooks, servers, settings (T-15). Here is what it brings.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Brought, FolderCode } from '@tailrace/core';

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

/**
 * What an agent would take from a folder and those above it. `own` are folders whose files are the person's own, wherever they
 * work: their home's settings are nobody else's code.
 */
export async function lookAtFolder(code: FolderCode, cwd: string, own: readonly string[] = []): Promise<FolderLook> {
  const folder = await realpath(cwd);
  const mine = await Promise.all(own.map((one) => realpath(one).catch(() => one)));
  const brought: BroughtThing[] = [];
  const digest = createHash('sha256');
  for (const place of withParents(folder))
    for (const name of code.files) {
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
