// What a pipe loads: a start that takes in a database, a page or a table of prices would be slow for everybody.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const bin = at('../dist/tailrace.js');
const capture = at('../../../fixtures/claude/2.1.325/basic-text.ndjson');

/** The files and packages that a command has loaded when it is over. */
function loadedBy(words: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-loaded-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [hook, told] = [join(folder, 'hook.cjs'), join(folder, 'told')];
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(told)}, Object.keys(require.cache).join('\\n')))`,
  );
  const { status, stderr } = spawnSync(process.execPath, ['--require', hook, bin, ...words], {
    input: readFileSync(capture),
    env: { PATH: process.env['PATH'], TAILRACE_HOME: folder },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return readFileSync(told, 'utf8')
    .split('\n')
    .filter((path) => path !== hook)
    .map((path) => path.replace(/^.*\/(?:dist|node_modules)\//, ''));
}

const PIPE = ['tailrace.js', 'chunks/stream.js', 'chunks/basics.js', 'chunks/printer.js', 'chunks/markdown.js'];

test.each([
  ['a pipe', [], PIPE],
  ['a pipe without Markdown', ['view', '--plain'], PIPE.filter((file) => file !== 'chunks/markdown.js')],
  ['--help', ['--help'], ['tailrace.js', 'chunks/help.js', 'chunks/basics.js']],
])('%s loads what it needs, and no more', (_name, words, files) => {
  const loaded = loadedBy(words).filter((file) => file !== 'chunks/rolldown-runtime.js');
  expect(loaded.filter((file) => !files.includes(file))).toEqual([]);
});
