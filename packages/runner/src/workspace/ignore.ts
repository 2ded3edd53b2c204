// What git does not look at: the rules of .gitignore files, one within the other, the innermost first.
// https://git-scm.com/docs/gitignore, and dir.c where it is silent.

import { bytesOf, compileGlob, type Matcher } from './glob.ts';

/** The rules of one file, and those of the folders around it. */
export interface IgnoreRules {
  readonly outer: IgnoreRules | undefined;
  /** The folder that the file lies in, below the top: `''` or ending in a slash. In bytes. */
  readonly base: string;
  readonly patterns: readonly Pattern[];
}

interface Pattern {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** It is about the name alone, wherever the file lies. */
  readonly isForNames: boolean;
  readonly matches: Matcher;
}

/** Nobody wants to hear of these, whatever the rules say. */
const NEVER_WATCHED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Reads the text of a .gitignore in a folder below the top (`''`, or `packages/core`). */
export function readRules(text: string, folder: string, outer?: IgnoreRules | undefined): IgnoreRules {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const patterns = lines.flatMap((line) => readPattern(line.endsWith('\r') ? line.slice(0, -1) : line) ?? []);
  return { outer, base: folder === '' ? '' : `${bytesOf(folder)}/`, patterns };
}

/**
 * Whether a path below the top, with slashes, is one of those. Asks about this path alone: whoever walks a tree
 * asks about each folder first and leaves out what lies in an ignored one.
 */
export function isIgnored(rules: IgnoreRules | undefined, path: string, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (NEVER_WATCHED.has(name)) return true;
  const [pathBytes, nameBytes] = [bytesOf(path), bytesOf(name)];
  for (let level = rules; level; level = level.outer) {
    const inside = pathBytes.slice(level.base.length);
    for (let index = level.patterns.length - 1; index >= 0; index--) {
      const pattern = level.patterns[index] as Pattern;
      if (pattern.isForFolders && !isFolder) continue;
      if (pattern.matches(pattern.isForNames ? nameBytes : inside)) return !pattern.isNegated;
    }
  }
  return false;
}

function readPattern(line: string): Pattern | undefined {
  if (line.startsWith('#')) return undefined;
  let text = withoutTrailingSpaces(line);
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  const isForFolders = text.endsWith('/');
  if (isForFolders) text = text.slice(0, -1);
  if (text === '') return undefined;
  const isForNames = !text.includes('/');
  const glob = bytesOf(text.startsWith('/') ? text.slice(1) : text);
  return { isNegated, isForFolders, isForNames, matches: compileGlob(glob) };
}

/** Spaces at the end do not count unless there is a backslash before them. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let index = 0; index < line.length; index++) {
    if (line[index] === ' ') continue;
    if (line[index] === '\\') index++;
    end = Math.min(index + 1, line.length);
  }
  return line.slice(0, end);
}
