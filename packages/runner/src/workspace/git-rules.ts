// The rules that hold in a folder before its own .gitignore is read: those of the repository around it.

import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type IgnoreRules, readRules } from './ignore.ts';

export interface OuterRules {
  /** The folder from the top of its repository, with slashes; `''` when it is the top, or in no repository. */
  readonly inner: string;
  readonly rules: IgnoreRules | undefined;
}

/** Finds the repository that a folder lies in, and what it says about the folder from outside. */
export async function readOuterRules(folder: string): Promise<OuterRules> {
  const top = await findTop(folder);
  if (top === undefined) return { inner: '', rules: undefined };
  let rules = readRules((await readText(await excludeFile(top))) ?? '', '');
  const steps = relative(top, folder).split(sep).filter(Boolean);
  for (let depth = 0; depth < steps.length; depth++) {
    const between = steps.slice(0, depth);
    const text = await readText(join(top, ...between, '.gitignore'));
    if (text !== undefined) rules = readRules(text, between.join('/'), rules);
  }
  return { inner: steps.join('/'), rules };
}

/** The text of a file, or nothing when it cannot be read. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}

async function findTop(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (await isThere(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** In a second working tree `.git` is a file that names the folder, which in turn names the one they share. */
async function excludeFile(top: string): Promise<string> {
  const pointer = await readText(join(top, '.git'));
  if (!pointer?.startsWith('gitdir: ')) return join(top, '.git', 'info', 'exclude');
  const own = resolve(top, pointer.slice('gitdir: '.length).trim());
  const shared = await readText(join(own, 'commondir'));
  return join(shared === undefined ? own : resolve(own, shared.trim()), 'info', 'exclude');
}
