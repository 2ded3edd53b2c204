// The rules of .gitignore, held against git itself.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { bytesOf, compileGlob } from './glob.ts';
import { type IgnoreRules, isIgnored, readRules } from './ignore.ts';

const FILES = [
  'a',
  'b.txt',
  'ab',
  'a b',
  'a ',
  '#a',
  '!a',
  'a]b',
  'a-b',
  '[a]',
  'é.txt',
  'A.TXT',
  'd/a',
  'd/b.txt',
  'd/e/a',
  'd/e/f/a',
  'd/e/f/b.txt',
  'ad/e/b',
  'x/d/a',
  'x/y/z/a',
  'x/a/b/a',
  'dd/b/a',
  'a*',
  'a\\b',
];
const folders = [...new Set(FILES.flatMap((file) => parentsOf(file)))];
const paths = [...FILES, ...folders];

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === '.' ? [] : [...parentsOf(parent), parent];
}

/** Which paths are ignored, by our rules: whatever lies in an ignored folder is. */
function ours(files: Readonly<Record<string, string>>, exclude = ''): string[] {
  const rulesOf = (folder: string): IgnoreRules => {
    const outer = folder === '' ? readRules(exclude, '') : rulesOf(dirname(folder) === '.' ? '' : dirname(folder));
    return readRules(files[folder] ?? '', folder, outer);
  };
  const isOut = (path: string, isFolder: boolean): boolean => {
    const parent = dirname(path) === '.' ? '' : dirname(path);
    return (parent !== '' && isOut(parent, true)) || isIgnored(rulesOf(parent), path, isFolder);
  };
  return paths.filter((path) => isOut(path, folders.includes(path))).sort();
}

describe('against git check-ignore', () => {
  const root = mkdtempSync(join(tmpdir(), 'tailrace-ignore-'));
  const env = { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_NOSYSTEM: '1', XDG_CONFIG_HOME: root };

  beforeAll(() => {
    execFileSync('git', ['init', '-q', root], { env });
    for (const file of FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), '');
    }
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** Which paths are ignored, by git. */
  function gits(files: Readonly<Record<string, string>>, exclude = ''): string[] {
    for (const folder of ['', ...folders]) {
      const path = join(root, folder, '.gitignore');
      if (files[folder] === undefined) rmSync(path, { force: true });
      else writeFileSync(path, files[folder]);
    }
    writeFileSync(join(root, '.git/info/exclude'), exclude);
    try {
      const input = paths.join('\0');
      const output = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
        cwd: root,
        env,
        input,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return output
        .toString()
        .split('\0')
        .filter((path) => path !== '')
        .sort();
    } catch (error) {
      // 1: none of them is ignored.
      if ((error as { status?: number }).status === 1) return [];
      throw error;
    }
  }

  test.each([
    'a',
    '/a',
    'd/',
    'd/*\n!d/e',
    '*\n!*/\n!a',
    '**/a',
    'd/**',
    'd/**/a',
    'x/**/**/a',
    '*.txt\n!b.txt',
    'a\\ ',
    'a ',
    'a  \\ ',
    '\\#a',
    '\\!a',
    '!a',
    '#a',
    'a\r\nb.txt\r\n',
    '\uFEFFa',
    '[ab]',
    '[!a]',
    '[^a]*',
    '[]a]*',
    '[a',
    'a[]-]b',
    '[[:upper:]]*',
    '[[:nonsense:]]',
    '[[:alpha:].]*',
    '[[a]*',
    'a\\',
    'a\\*',
    'a\\\\b',
    '?.txt',
    '??.txt',
    'd**/a',
    'd**/b/a',
    'a**/b',
    '*/e',
    '/*/e/',
    '/',
    '//',
    'd//',
    '!',
    '**',
    '***',
    'd/e**',
    'é*',
  ])('the rule %j', (rule) => {
    expect(ours({ '': rule })).toEqual(gits({ '': rule }));
  });

  const piece = fc.constantFrom(
    ...['a', 'b', 'd', 'e', 'x', '*', '**', '/', '/', '?', '.txt', '[ab]', '[!a]', '[^d]', '[a-', ']', '\\', ' ', '!'],
    ...['[]a]', '[[:alpha:]]', '[b-d]', '#', '-', 'é', '/**/', '**/', '/**', '*/', '['],
  );
  const rule = fc
    .tuple(
      fc.constantFrom('', '', '!', '/', '\\'),
      fc.array(piece, { maxLength: 6 }),
      fc.constantFrom('', '', '/', ' '),
    )
    .map(([start, pieces, end]) => start + pieces.join('') + end);
  const file = fc
    .tuple(fc.array(rule, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'))
    .map(([rules, feed]) => rules.join(feed));

  test('random rules in random folders', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('', '', ...folders), file, { maxKeys: 3 }), file, (files, exclude) => {
        expect(ours(files, exclude)).toEqual(gits(files, exclude));
      }),
      { numRuns: counts.runs * 2 },
    );
  });
});

test('what belongs to git and to npm is never looked at', () => {
  const rules = readRules('!.git\n!node_modules', '');
  for (const path of ['.git', 'node_modules', 'a/b/node_modules', 'a/.git'])
    expect(isIgnored(rules, path, true)).toBe(true);
});

describe('[T-26] no pattern is slow', () => {
  const long = 'a'.repeat(1_000_000);
  test.each(['*a*a*a*a*a*a*a*a*a*b', '**/a**/a**/a/**/b', '[ab]*[ab]*[ab]*[ab]*[!a]', '?*?*?*?*?*?*?*?b'])(
    '%s against 1 MB of its worst case takes time in proportion to it',
    (pattern) => {
      const match = compileGlob(bytesOf(pattern));
      // Steps, not seconds: ten times the text is ten times the work, where one that goes back takes thousands of times it.
      const timed = (text: string): number => {
        const start = process.cpuUsage().user;
        expect(match(text)).toBe(false);
        return process.cpuUsage().user - start;
      };
      timed(long.slice(0, 100_000));
      expect(timed(long)).toBeLessThan(5_000_000);
    },
  );
});
