// The command where better-sqlite3 was left out, or its native part was not built or is another's: what says so, and what goes on.

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, fixtures, type Outcome } from './command.ts';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const agent = fileURLToPath(new URL('../../runner/test/fake-agent.mjs', import.meta.url));
const capture = `${fixtures}basic-text.ndjson`;

const INSTALLATIONS = ['absent', 'unbuilt', 'broken'] as const;
type Installation = (typeof INSTALLATIONS)[number];

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-no-history-')));
  for (const name of INSTALLATIONS) install(name);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Outside of the workspace, so that nothing is found but what is put beside it. */
function install(name: Installation): void {
  const own = join(folder, name);
  for (const part of ['tailrace.js', 'package.json', 'chunks', 'assets'])
    cpSync(join(dist, part), join(own, 'dist', part), { recursive: true });
  mkdirSync(join(own, 'node_modules/@pydantic'), { recursive: true });
  symlinkSync(packageFolder('@pydantic/genai-prices'), join(own, 'node_modules/@pydantic/genai-prices'));
  if (name === 'absent') return;
  for (const part of ['package.json', 'lib'])
    cpSync(join(packageFolder('better-sqlite3'), part), join(own, 'node_modules/better-sqlite3', part), {
      recursive: true,
    });
  for (const part of ['bindings', 'file-uri-to-path'])
    cpSync(packageFolder(part), join(own, 'node_modules', part), { recursive: true });
  if (name === 'unbuilt') return;
  const native = join(own, 'node_modules/better-sqlite3/build/Release');
  mkdirSync(native, { recursive: true });
  writeFileSync(join(native, 'better_sqlite3.node'), 'no native part');
}

function packageFolder(name: string): string {
  const file = createRequire(import.meta.url).resolve(name);
  const part = join('node_modules', name);
  return file.slice(0, file.lastIndexOf(part) + part.length);
}

interface Place {
  readonly env: Record<string, string>;
  readonly data: string;
  run(words: readonly string[], input?: Uint8Array): Promise<Outcome>;
}

/** A person's own folders, with the command as it is installed there. */
function settle(installation: Installation): Place {
  const home = mkdtempSync(join(folder, 'home-'));
  const data = join(home, 'data');
  const env: Record<string, string> = { HOME: home, TAILRACE_HOME: data };
  const bin = join(folder, installation, 'dist/tailrace.js');
  return { env, data, run: (words, input) => call(words, { env, bin, ...(input && { input: [input] }) }) };
}

const HOOK = Buffer.from('{"session_id":"11111111-2222-4333-8444-555555555555","hook_event_name":"Stop"}');

const SENTENCE: Readonly<Record<Installation, string>> = {
  absent: 'history needs better-sqlite3, which is not installed here: view, events,',
  unbuilt: 'history needs better-sqlite3, which does not load here: view, events,',
  broken: 'history needs better-sqlite3, which does not load here: view, events,',
};

const WANT_HISTORY = [
  ['sessions'],
  ['sessions', '--json'],
  ['show', 'last'],
  ['search', 'x'],
  ['search', 'x', '--json'],
  ['label', 'last', '--star'],
  ['export', 'last', '--html'],
  ['checkpoints', 'last'],
  ['checkpoints', 'last', '--json'],
  ['rewind', 'last', 'x'],
  ['resume', 'last'],
  ['forget', 'last'],
  ['replay', 'last'],
  ['import'],
  ['watch'],
  ['serve', '--no-open', '--port', '0'],
  ['demo', '--no-open', '--port', '0'],
];

describe.each(INSTALLATIONS)('where better-sqlite3 is %s', (installation) => {
  test.each(WANT_HISTORY.map((words) => [words]))('%j says what it needs, and fails', async (words) => {
    const { data, run } = settle(installation);
    for (const isFirst of [true, false]) {
      const { code, stdout, stderr } = await run(words);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(SENTENCE[installation]);
      expect(stderr).toContain('"tailrace doctor" says why and how to mend it');
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      // Then something waits to be taken in.
      if (isFirst) await run(['hook'], HOOK);
    }
    expect(readdirSync(data)).toEqual(['spool']);
  });

  test.each([
    [['view', capture]],
    [['events', capture]],
    [['summary', capture]],
    [['summary', capture, '--json']],
    [['replay', capture, '--speed', '0']],
    [['usage', '--dir', fixtures]],
    [['usage', '--json']],
    [['config']],
  ])('%j does what it does elsewhere', async (words) => {
    const { env, run } = settle(installation);
    const elsewhere = await call(words, { env });
    expect(elsewhere).toMatchObject({ code: 0, stderr: '' });
    expect(await run(words)).toEqual(elsewhere);
  });

  test('a hook keeps what it is told, and says nothing', async () => {
    const { data, run } = settle(installation);
    expect(await run(['hook'], HOOK)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(data, 'spool/hooks.ndjson'), 'utf8')).toContain('"Stop"');
    // What waits there is not counted: the agents' own files are, and that is said.
    const { code, stdout, stderr } = await run(['usage']);
    expect([code, stdout]).toEqual([0, 'nothing was used\n']);
    expect(stderr).toContain(`only the agents' own files are counted: ${SENTENCE[installation]}`);
  });

  test('a run goes its way, and it is said once that it is not kept', async () => {
    const { env, run } = settle(installation);
    const script = join(env['HOME'] ?? '', 'script.json');
    writeFileSync(script, JSON.stringify([['init'], ['prompt'], ['text', 'Hello there.'], ['result', 'Hello there.']]));
    Object.assign(env, { TAILRACE_CLAUDE: agent, FAKE_AGENT: script });
    const { code, stdout, stderr } = await run(['run', '--cwd', env['HOME'] ?? '', 'Greet me']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^tailrace: this run is not kept: history needs better-sqlite3.*\n$/);
    expect(stdout).toContain('Hello there.');
    expect(stdout).not.toContain('resume:');
  });

  test('a pipe that is to be kept is shown, and nobody is told that it can be gone on with', async () => {
    const { run } = settle(installation);
    const { code, stdout, stderr } = await run(['--record'], readFileSync(capture));
    expect(code).toBe(1);
    expect(stderr).toContain(`this run is not kept: ${SENTENCE[installation]}`);
    expect(stdout).toMatch(/✓ done/);
    expect(stdout).not.toContain('resume:');
  });
});

test.each<[Installation, RegExp, RegExp]>([
  ['absent', /^✖ store .*better-sqlite3, which is not there: npm leaves it out/m, /`npm install -g tailrace`/],
  ['unbuilt', /^✖ store .*does not load: Could not locate the bindings file\.$/m, /`npm rebuild -g better-sqlite3`/],
  ['broken', /^✖ store .*does not load: \S*better_sqlite3\.node: \S.*$/m, /`npm rebuild -g better-sqlite3`/],
])('where it is %s, doctor says why, and what to type', async (installation, why, command) => {
  const { run } = settle(installation);
  const { code, stdout } = await run(['doctor']);
  expect(code).toBe(1);
  expect(stdout).toMatch(why);
  expect(stdout).toMatch(/^· store .*C\+\+ compiler and Python 3: `/m);
  expect(stdout).toMatch(command);
  expect(stdout).not.toContain('"tailrace doctor"');
  const { findings } = JSON.parse((await run(['doctor', '--json'])).stdout);
  expect(findings.filter(({ name }: { name: string }) => name === 'store')).toMatchObject([
    { level: 'problem', code: 'unavailable' },
    { level: 'note' },
    { level: 'note' },
  ]);
});
