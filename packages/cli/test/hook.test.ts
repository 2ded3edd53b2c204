// `tailrace hook` as an agent calls it, and as people do.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { counts } from '../../../proof/counts.ts';
import { call, type Outcome, start } from './command.ts';

const bin = fileURLToPath(new URL('../dist/tailrace.js', import.meta.url));
const AT_ONCE = counts.hooksAtOnce;

let folder = '';
let home = '';
let spool = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-hook-'));
  home = join(folder, 'home');
  spool = join(home, 'spool', 'hooks.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const payload = { session_id: 's', hook_event_name: 'Stop' };
const text = JSON.stringify(payload);
/** A clock that runs so slowly that a busy machine is in time. */
const patient = [
  '--import',
  'data:text/javascript,const after = setTimeout; globalThis.setTimeout = (run, ms) => after(run, ms * 200)',
];
const silent = { code: 0, signal: null, stdout: '', stderr: '' };

function hook(input: string | Uint8Array, env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  return call(['hook'], { input: [Buffer.from(input)], env: { TAILRACE_HOME: home, ...env }, node: patient });
}

/** The same with limits that only a shell can set. */
function hookUnder(limits: string, input: string): Promise<Outcome> {
  const child = spawn('sh', ['-c', `${limits}; exec "$@"`, 'sh', process.execPath, ...patient, bin, 'hook'], {
    env: { TAILRACE_HOME: home },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return outcomeOf(child);
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const out: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) child[name]?.on('data', (bytes) => (out[name] += bytes));
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal, ...out }));
  });
}

const lines = () => readFileSync(spool, 'utf8').split('\n').filter(Boolean);

describe('[R-13] a payload', () => {
  test('is appended as it came, with its time, to a file that nobody else can read', async () => {
    expect(await hookUnder('umask 000', text)).toEqual(silent);
    expect(await hook('{\n  "number": 12345678901234567890.10\n}\n')).toEqual(silent);
    const [first, second] = lines();
    expect(JSON.parse(first ?? '')).toEqual({ at: expect.any(Number), payload });
    expect(second).toMatch(/^\{"at":\d+,"payload":\{ {3}"number": 12345678901234567890\.10 \} \}$/);
    expect([home, join(home, 'spool'), spool].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o700, 0o600,
    ]);
  });

  test('that is no JSON is kept as text, and none leaves no trace', async () => {
    expect(await hook('')).toEqual(silent);
    expect(existsSync(home)).toBe(false);
    expect(await hook('not\njson')).toEqual(silent);
    expect(lines().map((line) => JSON.parse(line))).toEqual([{ at: expect.any(Number), text: 'not\njson' }]);
  });

  test('that has no end is kept as far as it came, and nobody waits for the rest', async () => {
    const child = start(['hook'], { env: { TAILRACE_HOME: home } });
    child.stdin?.write('{"half":');
    // Its standard input is still open: it ends by itself.
    expect(await outcomeOf(child)).toEqual(silent);
    expect(JSON.parse(lines()[0] ?? '')).toEqual({ at: expect.any(Number), bytes: 8, text: '{"half":' });
  });

  test('is not mixed with others that come at the same time, and none is lost', async () => {
    const sizes = Array.from({ length: AT_ONCE }, (_, index) => (index * 7919) % 300_000);
    const all = await Promise.all(
      sizes.map((size, index) => hook(JSON.stringify({ index, filling: 'x'.repeat(size) }))),
    );
    for (const outcome of all) expect(outcome).toEqual(silent);
    const kept = lines().map((line) => JSON.parse(line).payload);
    expect(kept.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...sizes.keys()]);
    for (const { index, filling } of kept) expect(filling).toHaveLength(sizes[index] ?? -1);
  });

  test('is not lost behind one that was cut when the disk was full', async () => {
    expect(await hook(text)).toEqual(silent);
    writeFileSync(spool, `${readFileSync(spool, 'utf8')}{"at":1,"payl`);
    expect(await hook(text)).toEqual(silent);
    expect(lines().map((line) => line.endsWith('}'))).toEqual([true, false, true]);
  });
});

describe('the agent hears nothing and goes on', () => {
  test.each(['0', '1'])('when no file may grow beyond %s blocks', async (blocks) => {
    expect(await hookUnder(`ulimit -f ${blocks}`, JSON.stringify({ filling: 'x'.repeat(100_000) }))).toEqual(silent);
  });

  test('when there is no place for the data', async () => {
    writeFileSync(join(folder, 'file'), '');
    for (const place of [join(folder, 'file', 'below'), '/proc/nowhere', '/dev/full', '\u0001'.repeat(5000)])
      expect(await hook(text, { TAILRACE_HOME: place })).toEqual(silent);
    expect(await hook(text, { TAILRACE_HOME: '', HOME: join(folder, 'file') })).toEqual(silent);
  });

  test('when a file operation hangs: it ends by itself, though a thread of it does not', async () => {
    const fifo = join(folder, 'fifo');
    await outcomeOf(spawn('mkfifo', [fifo]));
    const hang = `import promises from 'node:fs/promises';
      import { open } from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      promises.open = () => new Promise((resolve) => open(${JSON.stringify(fifo)}, 'r', resolve));
      syncBuiltinESMExports();`;
    const node = ['--import', `data:text/javascript,${encodeURIComponent(hang)}`];
    const { stdout, stderr, ...ending } = await call(['hook'], {
      input: [Buffer.from(text)],
      env: { TAILRACE_HOME: home },
      node,
    });
    expect([stdout, stderr]).toEqual(['', '']);
    // A Node that can become another program ends well even so.
    expect(ending).toEqual('execve' in process ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' });
  });
});

describe('[T-24] nothing is written', () => {
  const cases: Readonly<Record<string, (other: string) => void>> = {
    'through a link in the place of the file': (other) => symlinkSync(other, spool),
    'to a file that has a second name': (other) => linkSync(other, spool),
    'to a pipe': () => {},
    'to a file that others may write': () => {
      writeFileSync(spool, '');
      chmodSync(spool, 0o622);
    },
    'into a folder that others may write': () => chmodSync(join(home, 'spool'), 0o770),
    'below a folder that others may write': () => chmodSync(home, 0o777),
    'through a link in the place of the folder': (other) => {
      rmSync(join(home, 'spool'), { recursive: true });
      mkdirSync(`${other}-folder`, { mode: 0o700 });
      symlinkSync(`${other}-folder`, join(home, 'spool'));
    },
  };

  test.each(Object.keys(cases))('%s', async (name) => {
    mkdirSync(join(home, 'spool'), { recursive: true, mode: 0o700 });
    chmodSync(home, 0o700);
    const other = join(folder, 'other');
    writeFileSync(other, '');
    cases[name]?.(other);
    if (name === 'to a pipe') await outcomeOf(spawn('mkfifo', [spool]));
    expect(await hook(text)).toEqual(silent);
    expect(readFileSync(other, 'utf8')).toBe('');
    expect(existsSync(`${other}-folder/hooks.ndjson`)).toBe(false);
    if (existsSync(spool) && lstatSync(spool).isFile()) expect(readFileSync(spool, 'utf8')).toBe('');
  });
});

describe('hook install and remove', () => {
  const settings = () => join(folder, 'config', 'settings.json');
  const edit = (...words: readonly string[]) =>
    call(['hook', ...words], { env: { TAILRACE_HOME: home, CLAUDE_CONFIG_DIR: join(folder, 'config') } });
  beforeEach(() => mkdirSync(join(folder, 'config')));

  test('make the settings and take them away again', async () => {
    const { stdout, ...rest } = await edit('install');
    expect(rest).toEqual({ code: 0, signal: null, stderr: '' });
    expect(stdout).toContain(settings());
    expect(stdout).toContain(spool);
    expect(stdout).toContain('tailrace hook remove');
    expect(Object.keys(JSON.parse(readFileSync(settings(), 'utf8')).hooks)).toContain('PreToolUse');
    expect(statSync(settings()).mode & 0o777).toBe(0o600);
    expect((await edit('install')).stdout).toContain('already');
    expect((await edit('remove')).stdout).toContain('Taken out');
    expect(readdirSync(join(folder, 'config'))).toEqual([]);
    expect((await edit('remove')).stdout).toContain('no hook');
  });

  test('leave a command that works', async () => {
    await edit('install');
    const { Stop } = JSON.parse(readFileSync(settings(), 'utf8')).hooks;
    const child = spawn('sh', ['-c', Stop[0].hooks[0].command], { env: { TAILRACE_HOME: home }, stdio: 'pipe' });
    child.stdin.end(text);
    expect(await outcomeOf(child)).toEqual(silent);
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ payload });
  });

  test('give the file back to the byte, with its mode and through its link', async () => {
    const before = '{\r\n\t"model": "opus",\r\n\t"hooks": {}\r\n}';
    const real = join(folder, 'real.json');
    writeFileSync(real, before);
    chmodSync(real, 0o640);
    symlinkSync(real, settings());
    expect((await edit('install')).code).toBe(0);
    expect(readFileSync(real, 'utf8')).not.toBe(before);
    expect((await edit('remove')).code).toBe(0);
    expect(readFileSync(real, 'utf8')).toBe(before);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(['config', 'real.json']);
  });

  test.each([
    ['{"a":', /not JSON/],
    ['{"hooks": 1}', /"hooks" in the settings is not an object/],
  ])('leave %j alone and say why', async (bad, reason) => {
    writeFileSync(settings(), bad);
    const { code, stderr } = await edit('install');
    expect(code).toBe(1);
    expect(stderr).toMatch(reason);
    expect(stderr).toContain('nothing was changed');
    expect(readFileSync(settings(), 'utf8')).toBe(bad);
    expect(readdirSync(join(folder, 'config'))).toEqual(['settings.json']);
  });

  test('leave a file alone that is no UTF-8, and a link to nothing', async () => {
    writeFileSync(settings(), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect((await edit('install')).stderr).toContain('not UTF-8');
    rmSync(settings());
    symlinkSync(join(folder, 'nothing'), settings());
    expect((await edit('install')).stderr).toContain('a link to nothing');
  });

  test('take the folder from the command line, make it, and name it for the way back', async () => {
    const other = join(folder, "it's", 'config');
    const { stdout } = await edit('install', '--dir', other);
    expect(stdout).toContain(`tailrace hook remove --dir '${other.replace("'", "'\\''")}'`);
    expect(readdirSync(other)).toEqual(['settings.json']);
    await edit('remove', '--dir', other);
    expect(readdirSync(other)).toEqual([]);
  });

  test('are the only words', async () => {
    for (const words of [['instal'], ['install', 'more'], ['install', '--agent', 'nobody'], ['--dir', folder]])
      expect((await edit(...words)).code).toBe(2);
    expect(readdirSync(join(folder, 'config'))).toEqual([]);
  });
});
