import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseUsageOptions } from './options.ts';
import { transcriptFolders } from './roots.ts';

const NOW = Date.UTC(2026, 10, 15, 23, 30);
const parse = (...words: readonly string[]) => parseUsageOptions(words, NOW);

test('days are days of the time zone', () => {
  expect(parse('--timezone', 'UTC', '--since', 'today').since).toBe('2026-11-15');
  expect(parse('--timezone', 'Europe/Zurich', '--since', 'today').since).toBe('2026-11-16');
  expect(parse('--timezone', 'UTC', '--since', '20261101', '--until', 'yesterday')).toMatchObject({
    since: '2026-11-01',
    until: '2026-11-14',
  });
  expect(parse('--timezone', 'UTC', '--since', '2w').since).toBe('2026-11-01');
});

test('a time that ends before it begins is refused', () => {
  expect(() => parse('--since', '2026-11-02', '--until', '2026-11-01')).toThrow('--since is after --until');
});

test('without words it is by day, as a table', () => {
  expect(parse()).toMatchObject({ by: 'day', format: 'table', since: undefined, dirs: [], live: false, cache: true });
});

test.each(['agent', 'subagent', 'tool', 'block'])('--by %s', (by) => {
  expect(parse('--by', by).by).toBe(by);
});

test.each([
  ['--by', 'hour'],
  ['--since', '2026-02-30'],
  ['--since', 'soon'],
  ['--until', '2026-13-01'],
  ['--timezone', 'Middle/Earth'],
  ['--locale', 'no locale'],
  ['--warn-at', 'much'],
  ['--warn-at', '-1'],
])('%s %s is refused', (name, value) => {
  expect(() => parse(name, value)).toThrow();
});

test('two formats at once are refused', () => {
  expect(() => parse('--json', '--csv')).toThrow('not both');
});

test("the agent's variable names one folder, or several", () => {
  expect(transcriptFolders({}, '/home/me')).toEqual([join('/home/me', '.claude', 'projects')]);
  expect(transcriptFolders({ CLAUDE_CONFIG_DIR: '/a, /b' }, '/home/me')).toEqual([
    join('/a', 'projects'),
    join('/b', 'projects'),
  ]);
  const odd = mkdtempSync(join(tmpdir(), 'with,comma-'));
  try {
    expect(transcriptFolders({ CLAUDE_CONFIG_DIR: odd }, '/home/me')).toEqual([join(odd, 'projects')]);
  } finally {
    rmSync(odd, { recursive: true });
  }
});
