import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processesIn, until } from '../../test/process/in-folder.ts';
import type { Clock } from '../clock.ts';
import { isTailraceError } from './errors.ts';
import { locate, searchPath, variableOf } from './locate.ts';
import { readLoginPath } from './login-path.ts';

let root = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-locate-')));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string, mode = 0o755): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode });
  return file;
}
const program = (path: string): string => write(path, '#!/bin/sh\n');
const noLogin = async (): Promise<undefined> => undefined;

/** What is thrown, as one of ours. */
async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isTailraceError(error) ? `${error.code}: ${error.message}` : `not ours: ${error}`;
}

describe('[M-01] the program is found', () => {
  test('by the option before the variable, by the variable before PATH', async () => {
    const [asked, named, inPath] = [program('a/one'), program('b/two'), program('c/claude')];
    const env = { TAILRACE_CLAUDE: named, PATH: dirname(inPath) };
    const options = { program: 'claude', env, loginPath: noLogin };
    expect(await locate({ ...options, asked })).toEqual({ file: asked, from: 'option' });
    expect(await locate(options)).toEqual({ file: named, from: 'variable' });
    expect(await locate({ ...options, env: { PATH: dirname(inPath) } })).toEqual({ file: inPath, from: 'path' });
    expect(await locate({ ...options, env: { PATH: dirname(inPath), TAILRACE_CLAUDE: '' } })).toMatchObject({
      from: 'path',
    });
  });

  test('by another name when somebody asks for that one', async () => {
    const file = program('names/claude-next');
    const env = { PATH: dirname(file) };
    expect(await locate({ program: 'claude', asked: 'claude-next', env })).toEqual({ file, from: 'option' });
  });

  test('past folders, files that may not be run, and dead links of its name', async () => {
    mkdirSync(join(root, 'd1/claude'), { recursive: true });
    write('d2/claude', 'text', 0o644);
    mkdirSync(join(root, 'd3'));
    symlinkSync(join(root, 'nowhere'), join(root, 'd3/claude'));
    const file = program('d4/claude');
    const env = { PATH: ['d1', 'd2', 'd3', 'none', 'd4'].map((one) => join(root, one)).join(':') };
    expect(await locate({ program: 'claude', env, loginPath: noLogin })).toMatchObject({ file });
  });

  test('even when only the login shell has it in its PATH', async () => {
    const file = program('login/bin/claude');
    write('login/.bash_profile', `echo Welcome; export PATH="${dirname(file)}:$PATH"; printf 'no line end'`);
    const env = { HOME: join(root, 'login'), SHELL: '/bin/bash', PATH: '/usr/bin:/bin' };
    expect(await locate({ program: 'claude', env })).toEqual({ file, from: 'login-path' });
  });

  test('never in the folder that somebody works in, though PATH has an empty or relative part', async () => {
    const before = process.cwd();
    program('work/claude');
    // vitest runs tests in threads that may not change their folder: the parts are as relative from here.
    const here = join(root, 'work').slice(1);
    const up = before
      .split('/')
      .slice(1)
      .map(() => '..')
      .join('/');
    for (const part of ['', '.', `${up}/${here}`]) expect(searchPath('claude', part, {}, 'linux')).toBeUndefined();
    expect(searchPath('claude', join(root, 'work'), {}, 'linux')).toBeDefined();
  });

  test('on Windows by the endings that can be run, not as the shell script beside them', () => {
    const files = new Set(['C:\\npm\\claude', 'C:\\npm\\claude.cmd', 'D:\\bin\\claude.exe', 'D:\\bin\\x.ps1']);
    const search = (name: string, path: string, env = {}) =>
      searchPath(name, path, env, 'win32', (file) => files.has(file));
    expect(search('claude', 'C:\\npm;D:\\bin')).toBe('C:\\npm\\claude.cmd');
    expect(search('claude', 'D:\\bin;C:\\npm')).toBe('D:\\bin\\claude.exe');
    expect(search('claude.cmd', '.;;bin;C:\\npm')).toBe('C:\\npm\\claude.cmd');
    expect(search('x', 'D:\\bin', { PATHEXT: '.EXE;.PS1' })).toBeUndefined();
  });
});

describe('[M-01] a program that is not there', () => {
  test('is named with where it was looked for and how to install it', async () => {
    const options = { program: 'claude', install: 'npm install -g @anthropic-ai/claude-code', env: { PATH: root } };
    const message = await failure(locate({ ...options, loginPath: async () => '/nowhere' }));
    expect(message).toContain('program-not-found: there is no program "claude"');
    expect(message).toContain("it is not in PATH and not in the login shell's PATH");
    expect(message).toContain('install it with: npm install -g @anthropic-ai/claude-code');
    expect(message).toContain('TAILRACE_CLAUDE');
  });

  test('is not replaced by another of its name when somebody named a file', async () => {
    const env = { PATH: dirname(program('e/claude')), TAILRACE_CLAUDE: join(root, 'gone/claude') };
    expect(await failure(locate({ program: 'claude', env }))).toContain('TAILRACE_CLAUDE names');
    expect(await failure(locate({ program: 'claude', asked: './gone', env }))).toContain('the option names ./gone');
  });
});

test.each([
  ['claude', 'TAILRACE_CLAUDE'],
  ['my-agent.2', 'TAILRACE_MY_AGENT_2'],
])('the variable of %s is %s', (agent, variable) => {
  expect(variableOf(agent)).toBe(variable);
});

describe('the login shell', () => {
  /** A shell of our own, which gets `-l -i -c QUESTION`. */
  const shell = (name: string, script: string): NodeJS.ProcessEnv => ({
    PATH: '/usr/bin:/bin',
    SHELL: write(`${name}/shell`, `#!/bin/sh\ncd "${root}/${name}"\n${script}`),
  });

  test('is asked as a login shell, with nothing to read and none of our variables', async () => {
    // `cat` would wait for ever if there were something to read.
    const asked = shell('asked', 'env > env.txt; echo "$1 $2 $3" > words.txt; cat; eval "$4"');
    expect(await readLoginPath({ ...asked, TAILRACE_HOME: 'x', TAILRACE_RUN_ID: 'y' }, never)).toBe('/usr/bin:/bin');
    expect(readFileSync(join(root, 'asked/words.txt'), 'utf8')).toBe('-l -i -c\n');
    expect(readFileSync(join(root, 'asked/env.txt'), 'utf8')).not.toContain('TAILRACE');
  });

  test('is heard among whatever it prints, before and after', async () => {
    const env = shell('loud', 'echo PATH=/wrong; echo "[tmux] hi"; PATH=/a:/b:/usr/bin; eval "$4"; echo bye; exit 3');
    expect(await readLoginPath(env)).toBe('/a:/b:/usr/bin');
  });

  test('is not waited for when it has answered, though it goes on', async () => {
    const env = shell('slow', 'eval "$4"; sleep 60');
    expect(await readLoginPath(env, never)).toBe('/usr/bin:/bin');
    await until(() => processesIn(join(root, 'slow')).length === 0);
  });

  test('that hangs is given up and ended when the time is over', async () => {
    const env = shell('hangs', 'touch here; sleep 60; :');
    let ring = (): void => {};
    const clock: Clock = {
      now: () => 0,
      after(milliseconds, act) {
        expect(milliseconds).toBe(5_000);
        ring = act;
        return () => {};
      },
    };
    const answer = readLoginPath(env, clock);
    await until(() => processesIn(join(root, 'hangs')).length === 2);
    ring();
    expect(await answer).toBeUndefined();
    await until(() => processesIn(join(root, 'hangs')).length === 0);
  });

  test.each([
    ['is not there', { SHELL: '/nowhere/shell' }],
    ['is no path', { SHELL: 'bash' }],
  ])('that %s tells nothing', async (_, env) => {
    expect(await readLoginPath(env)).toBeUndefined();
  });

  test('that fails, prints without end, or answers with nothing tells nothing', async () => {
    expect(await readLoginPath(shell('fails', 'exit 1'), never)).toBeUndefined();
    expect(await readLoginPath(shell('endless', 'yes'), never)).toBeUndefined();
    expect(await readLoginPath(shell('empty', 'printenv() { :; }; eval "$4"'), never)).toBeUndefined();
  });

  test('that may not be run tells nothing', async () => {
    const env = shell('forbidden', '');
    chmodSync(env['SHELL'] ?? '', 0o644);
    expect(await readLoginPath(env, never)).toBeUndefined();
  });
});

/** Nothing here depends on a wait. */
const never: Clock = { now: () => 0, after: () => () => {} };
