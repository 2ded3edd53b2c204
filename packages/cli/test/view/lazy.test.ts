// Ink and React are loaded by whoever looks at the view, and by nobody else.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, fixtures } from '../command.ts';

const run = readFileSync(`${fixtures}demo.ndjson`);

test.each([
  ['--help', ['--help'], []],
  ['a pipe', [], [run]],
  ['sessions', ['sessions', '--json'], []],
  ['the help of a command', ['serve', '--help'], []],
])('%s loads nothing of the view', async (_name, words, input) => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-lazy-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tell = join(folder, 'tell.cjs');
  const told = join(folder, 'told');
  writeFileSync(
    tell,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, Object.keys(require.cache).join('\\n')));`,
  );
  await call(words, { input, node: ['--require', tell] });
  const loaded = readFileSync(told, 'utf8').split('\n');
  expect(loaded.some((file) => file.endsWith('dist/tailrace.js'))).toBe(true);
  expect(loaded.filter((file) => /chunks\/open\.js$|ink|react/.test(file.slice(file.indexOf('/dist/'))))).toEqual([]);
});
