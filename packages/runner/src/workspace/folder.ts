// What is remembered of a folder, so that a later look can tell what has changed.

import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { IgnoreRules } from './ignore.ts';

/** What tells two states of a file apart. */
export interface Stamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

export interface Folder {
  readonly path: string;
  /** From the top of the repository, with slashes. */
  readonly inner: string;
  readonly parent: Folder | undefined;
  ino: number;
  /** The rules for what lies in it, as they were at the last look; its own .gitignore is the innermost. */
  rules: IgnoreRules | undefined;
  /** What these were made from: the rules around it, and the state of its .gitignore. */
  outerRules: IgnoreRules | undefined;
  ownRules: Stamp | undefined;
  isGone: boolean;
  readonly files: Map<string, Stamp>;
  readonly folders: Map<string, Folder>;
}

export function createFolder(path: string, inner: string, parent: Folder | undefined, ino: number): Folder {
  return {
    path,
    inner,
    parent,
    ino,
    rules: parent?.rules,
    outerRules: parent?.rules,
    ownRules: undefined,
    isGone: false,
    files: new Map(),
    folders: new Map(),
  };
}

/** The path of something in it, from the top of the repository. */
export function innerOf(folder: Folder, name: string): string {
  return folder.inner === '' ? name : `${folder.inner}/${name}`;
}

export function nameOf(folder: Folder): string {
  return basename(folder.path);
}

export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): Stamp {
  return { size, mtimeMs, ctimeMs, ino };
}

export function isSame(one: Stamp | undefined, other: Stamp | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.size === other.size && one.mtimeMs === other.mtimeMs && one.ctimeMs === other.ctimeMs && one.ino === other.ino
  );
}

/** Files and links (which are not followed) count; pipes, sockets and devices have no content that changes. */
export function countsAsFile(entry: Stats | Dirent): boolean {
  return entry.isFile() || entry.isSymbolicLink();
}

/** What is at a path; nothing when there is nothing, or nothing that may be looked at. */
export async function statOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

/** What lies in a folder; nothing when the folder is gone or closed to us. */
export async function entriesOf(path: string): Promise<readonly Dirent[] | undefined> {
  return readdir(path, { withFileTypes: true }).catch(() => undefined);
}

/** How many files are asked about at once: more wait in Node's own queue anyway, and hold memory. */
const AT_ONCE = 64;

/** Asks about many names in a folder. */
export async function statNames(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, Stats>> {
  const found = new Map<string, Stats>();
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const some = names.slice(start, start + AT_ONCE);
    const stats = await Promise.all(some.map((name) => statOf(join(folder, name))));
    some.forEach((name, index) => {
      const stat = stats[index];
      if (stat) found.set(name, stat);
    });
  }
  return found;
}
