// [T-26] Every pattern that meets outside text, against a megabyte of its worst case. A pattern that backtracks would take
// minutes for it, so the bound is generous and taken in the process's own time.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const LIMIT_MS = 50;

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|dist|test)$/.test(entry.name) ? [] : sourcesUnder(path);
    return /(?<!\.test|\.test-d)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The regular expressions in a source file. */
function patternsIn(path: string): RegExp[] {
  const code = readFileSync(path, 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  return [
    ...code.matchAll(/(?<=[=(,:&|!?\s])\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[.,;)\s])/g),
  ].flatMap(([, source = '', flags]) => {
    try {
      return [new RegExp(source, flags)];
    } catch {
      return [];
    }
  });
}

const sources = sourcesUnder(join(root, 'packages'));
const patterns = sources.flatMap(patternsIn);

/** Growing texts that make a pattern go back and try again: runs of what it repeats itself, with something else at the end. */
function* worstOf(pattern: RegExp): Generator<string> {
  const own = [...new Set(pattern.source.replaceAll(/\\[wsdbB]/g, 'a 0').replaceAll('\\', ''))];
  const runs = [...own, 'a', ' ', '0', '\n', '"', '[', '-', '\u001b[', 'é', 'ab', own.join('')];
  // A pattern that doubles its work with each character is found with few of them; with a megabyte it would never come back.
  for (const size of [20, 24, 28, 1_000, 30_000, 1_000_000]) {
    for (const run of runs) {
      const text = run.repeat(Math.ceil(size / run.length));
      yield text;
      yield `${text}!`;
    }
  }
}

/** Whether the pattern takes longer than it may for any of its worst texts. */
function isSlow(pattern: RegExp): boolean {
  for (const text of worstOf(pattern)) {
    let spent = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3 && spent >= LIMIT_MS; round++) {
      const start = process.cpuUsage();
      pattern.lastIndex = 0;
      pattern.test(text);
      spent = process.cpuUsage(start).user / 1000;
    }
    if (spent >= LIMIT_MS) return true;
  }
  return false;
}

test('[T-26] there are patterns to look at, and none is made from text', () => {
  expect(patterns.length).toBeGreaterThan(1);
  for (const path of sources) expect(readFileSync(path, 'utf8'), path).not.toMatch(/new RegExp\(|RegExp\(/);
});

test.each(patterns.map((pattern) => [String(pattern), pattern] as const))(
  '[T-26] %s takes linear time',
  (_source, pattern) => {
    expect(isSlow(pattern)).toBe(false);
  },
);

test.each([/^(a+)+$/, /(\w+\s?)+$/, /\s+$/, /x*y*x*\.z/])('[T-26] %s would be found', (pattern) => {
  expect(isSlow(pattern)).toBe(true);
});
