// Where better-sqlite3 does not load there is no history: what is said then, and what mends it. It is an optional dependency, which npm
// leaves out without a word where it can neither be fetched nor built.

import { messageOf } from '../failure.ts';

/** The same sentence for every command that needs history. What the loader said is its cause. */
export class NoHistory extends Error {
  constructor(cause: unknown) {
    const what = isAbsent(cause) ? 'is not installed here' : 'does not load here';
    super(
      `history needs better-sqlite3, which ${what}: view, events, summary, usage, run and replay of a file work without it, ` +
        'what keeps or shows sessions (demo and serve as well) does not, and "tailrace doctor" says why and how to mend it',
      { cause },
    );
  }
}

export interface Remedy {
  readonly why: string;
  /** What is to be done, one after the other. */
  readonly steps: readonly string[];
}

/** What is wrong, and what a person types to mend it. */
export function remedyOf({ cause }: NoHistory, platform: NodeJS.Platform = process.platform): Remedy {
  const needs = `Its native part is built with a C++ compiler and Python 3: ${TOOLS[platform] ?? TOOLS.linux}`;
  if (isAbsent(cause))
    return {
      why: 'History needs better-sqlite3, which is not there: npm leaves it out where its native part cannot be built, or with --omit=optional.',
      steps: [needs, 'Then install tailrace again as before: `npm install -g tailrace`, or `npm ci` in a clone.'],
    };
  return {
    why: `History needs better-sqlite3, which is there and does not load: ${ownWords(cause)}`,
    steps: [
      needs,
      'Then build it: `npm rebuild -g better-sqlite3`, or without -g in the folder that tailrace was installed in.',
    ],
  };
}

const TOOLS: Partial<Record<NodeJS.Platform, string>> & { readonly linux: string } = {
  linux: '`sudo apt-get install build-essential python3`, or what your system has for it.',
  darwin: '`xcode-select --install` brings both.',
  win32: '`winget install Python.Python.3.12`, and the Visual Studio Build Tools with "Desktop development with C++".',
};

/** Not there at all; a package that is there and misses one of its own names that one. */
function isAbsent(cause: unknown): boolean {
  return /^Cannot find (module|package) 'better-sqlite3'/.test(messageOf(cause));
}

/** On one line, without the list of all places where the loader has looked. */
function ownWords(cause: unknown): string {
  return messageOf(cause)
    .replace(/ Tried:[\s\S]*/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
