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

const patterns = sourcesUnder(join(root, 'packages')).flatMap(patternsIn);
/** Texts that make patterns go back and try again: long runs of what they repeat, with something else at the end. */
const runs = ['a', ' ', '0', '\n', '\\', '"', '[', '-', 'K', 'Exit code 0', '+-', '<', '\u001b[', 'é'];
const worst = runs.flatMap((run) => [
  run.repeat(Math.ceil(1_000_000 / run.length)),
  `${run.repeat(Math.ceil(1_000_000 / run.length))}!`,
]);

test('[T-26] there are patterns to look at', () => {
  expect(patterns.length).toBeGreaterThan(1);
});

test.each(patterns.map((pattern) => [String(pattern), pattern] as const))(
  '[T-26] %s takes linear time',
  (_source, pattern) => {
    for (const text of worst) {
      let spent = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3 && spent >= LIMIT_MS; round++) {
        const start = process.cpuUsage();
        pattern.lastIndex = 0;
        pattern.test(text);
        spent = process.cpuUsage(start).user / 1000;
      }
      expect(spent).toBeLessThan(LIMIT_MS);
    }
  },
);

test('[T-26] a pattern that goes back and tries again would be found', () => {
  const start = process.cpuUsage();
  /^(a+)+$/.test(`${'a'.repeat(26)}!`);
  expect(process.cpuUsage(start).user / 1000).toBeGreaterThan(LIMIT_MS);
});
