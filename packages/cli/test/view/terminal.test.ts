// The view as a person has it: the built command in a real terminal, over a real store and runs of a replayed agent.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../serve/served.ts';
import { bin, expectLeft, missing, openTerminal, startView, type Terminal } from './tmux.ts';

interface Demo {
  readonly child: ChildProcess;
  readonly folder: string;
  /** `TAILRACE_HOME`. */
  readonly home: string;
  readonly code: string;
}

function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-view-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/** `tailrace demo`: the real server, with recorded sessions that play. */
async function startDemo(): Promise<Demo> {
  const folder = createFolder();
  const { PATH } = process.env;
  const child = spawn(process.execPath, [bin, 'demo', '--no-open', '--port', '0', '--speed', '0'], {
    env: { PATH, HOME: folder, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const code = await until(() => said.split('\n')[1] || undefined);
  const stage = readdirSync(folder).find((name) => name.startsWith('tailrace-demo-')) ?? '';
  return { child, folder, home: join(folder, stage, 'data'), code };
}

async function enter(demo: Demo, columns?: number, rows?: number): Promise<Terminal> {
  const size = columns === undefined || rows === undefined ? {} : { columns, rows };
  const terminal = openTerminal({ folder: demo.folder, env: { HOME: demo.folder, TAILRACE_HOME: demo.home }, ...size });
  startView(terminal);
  await terminal.see('Type the code that stands in its terminal');
  terminal.type(demo.code);
  terminal.press('Enter');
  await terminal.see('WAITING FOR YOU (2)');
  return terminal;
}

/** Goes to the one session with these words. */
async function find(terminal: Terminal, words: string, title: string): Promise<void> {
  terminal.type('/');
  await terminal.see('only:');
  terminal.type(words);
  terminal.press('Enter');
  await terminal.see(`only "${words}"`);
  await terminal.see(title);
}

/** Presses a key until something is seen: an answer is not taken in the first half second. */
async function pressUntil(terminal: Terminal, key: string, isSo: (screen: string) => boolean): Promise<void> {
  await until(() => {
    if (isSo(terminal.screen())) return true;
    terminal.type(key);
    return false;
  });
}

test.skipIf(missing !== undefined)(
  `[R-12] list, session, panels, search, raw, help, a permission, a question, and out${missing ? ` (${missing})` : ''}`,
  async () => {
    const terminal = await enter(await startDemo());
    expect(terminal.state()).toEqual({ isOther: true, hasCursor: false });

    await find(terminal, 'flaky', 'Fix the flaky checkout test');
    terminal.press('Enter');
    await terminal.see('done in');
    terminal.type('1');
    await terminal.see('▸ Explore');
    terminal.type('g');
    await terminal.see('TaskCreate  Reproduce the failure');
    terminal.type('2');
    await terminal.see('┊ A flaky test');
    terminal.type('4');
    await terminal.see(/Turns[\s\S]*Models/);
    terminal.type('5');
    expect(await terminal.see('permission mode')).toContain('shop-api');
    terminal.type('s');
    await terminal.see('Find callers of checkout');
    terminal.type('t');
    await terminal.see('TODO 3/3');
    terminal.type('f');
    await terminal.see('src/checkout.mjs');
    terminal.type('f');
    terminal.type('3');
    terminal.type('/');
    await terminal.see('find:');
    terminal.type('forEach');
    terminal.press('Enter');
    await terminal.see('1 of ');
    terminal.type('n');
    await terminal.see('2 of ');
    terminal.type('r');
    await terminal.see('session-start');
    terminal.press('Enter');
    await terminal.see('the line as it came');
    terminal.type('?');
    await terminal.see('next, previous');
    terminal.press('Escape');
    await terminal.see('the line as it came');
    terminal.type('r');
    await terminal.see('Esc back');

    // Back to the list, and to what waits.
    await pressEscapeUntil(terminal, 'only "flaky"');
    terminal.press('Escape');
    await terminal.see('WAITING FOR YOU (2)');
    await find(terminal, 'clean the build', 'Clean the build folder');
    terminal.type('a');
    expect(await terminal.see('asks to use Bash')).toContain('rm -rf build/ && npm run build');
    await pressUntil(terminal, 'y', (screen) => !screen.includes('asks to use'));
    await find(terminal, 'install guide', 'Rewrite the install guide');
    terminal.type('a');
    await terminal.see('do not answer');
    await pressUntil(terminal, '1', (screen) => !screen.includes('do not answer'));
    await pressEscapeUntil(terminal, 'Clean the build');
    // Nothing waits any more.
    const list = await terminal.see(/^(?![\s\S]*WAITING FOR YOU)[\s\S]*Clean the build/);
    expect(list).toContain('Rewrite the install guide');

    terminal.type('q');
    await expectLeft(terminal, 0);
  },
);

test.skipIf(missing !== undefined)(
  'a message over several lines, an edited input, a new run and its end are said from the view',
  async () => {
    const demo = await startDemo();
    const terminal = await enter(demo);
    await find(terminal, 'product search', 'Why is the product search slow?');
    terminal.press('Enter');
    await terminal.see('x interrupt');
    terminal.type('m');
    await terminal.see('Enter sends');
    terminal.paste('And now:\n  漢字 🌍\nplease.');
    await terminal.see('▏ please.');
    terminal.press('Escape');
    await terminal.see('m message');
    terminal.type('m');
    await terminal.see('▏   漢字 🌍');
    terminal.press('Enter');
    await terminal.see(/You {2}And now:[\s\S]*漢字 🌍[\s\S]*please\.[\s\S]*done/);
    terminal.type('X');
    await terminal.see('Really stop it? X once more.');
    terminal.type('X');
    await terminal.see('ended well');
    // What is over goes on with the next message.
    terminal.type('m');
    await terminal.see('Enter resumes');
    terminal.type('Once more');
    terminal.press('Enter');
    await terminal.see('You  Once more');

    await pressEscapeUntil(terminal, 'only "product search"');
    terminal.press('Escape');
    await terminal.see('WAITING FOR YOU (2)');
    await find(terminal, 'clean the build', 'Clean the build folder');
    terminal.type('a');
    await terminal.see('asks to use Bash');
    await pressUntil(terminal, 'e', (screen) => screen.includes('It runs with this input'));
    // At the beginning of the text, before its bracket.
    terminal.type('x');
    await terminal.see('This is no JSON');
    terminal.press('BSpace');
    await terminal.see('Ctrl-S allow once, as edited');
    terminal.press('C-s');
    await terminal.see(/^(?![\s\S]*It runs with this input)[\s\S]*Clean the build/);

    terminal.type('c');
    await terminal.see('what is to be done');
    terminal.press('BTab');
    await terminal.see('▌ budget');
    terminal.press('BTab');
    await terminal.see('▌ permissions   ‹ asks you');
    terminal.press('Tab', 'Tab');
    terminal.type('Say hello');
    await terminal.see('▏ Say hello');
    terminal.press('Enter');
    await terminal.see('‹ infra · Say hello');
    terminal.press('C-c');
    await expectLeft(terminal, 130);
  },
);

test.skipIf(missing !== undefined)('[R-12] every panel is whole on a small and on a large screen', async () => {
  const demo = await startDemo();
  const terminal = await enter(demo);
  await find(terminal, 'flaky', 'Fix the flaky checkout test');
  terminal.press('Enter');
  await terminal.see('done in');
  for (const [columns, rows] of [
    [80, 24],
    [200, 60],
    [40, 10],
  ] as const) {
    terminal.resize(columns, rows);
    for (const [key, text] of [
      ['1', /▌ ?\S/],
      ['2', '┊ '],
      ['3', /✓|The nightly/],
      ['4', 'Cost'],
      ['5', 'title'],
      ['s', 'SUB-AGENTS 1'],
      ['t', 'TODO 3/3'],
      ['f', 'FILES 1'],
      ['r', 'run-start'],
    ] as const) {
      terminal.type(key);
      const screen = await terminal.see(text);
      expect(screen).toContain('─'.repeat(columns));
      // Each of these is left by its own key; the panels by another panel's.
      if (/[stfr]/.test(key)) terminal.type(key);
      await terminal.see('? keys');
    }
    terminal.type('?');
    await terminal.see('Everywhere');
    terminal.press('Escape');
    await terminal.see('? keys');
  }
  terminal.type('q');
  await expectLeft(terminal, 0);
});

/** Escape leads back, step by step. */
async function pressEscapeUntil(terminal: Terminal, text: string): Promise<void> {
  await until(async () => {
    if (terminal.screen().includes(text)) return true;
    terminal.press('Escape');
    // So long a terminal waits for what could follow an escape.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return false;
  });
}

test.skipIf(missing !== undefined)('it is as large as its terminal, whatever becomes of that', async () => {
  const demo = await startDemo();
  const terminal = await enter(demo, 200, 60);
  await find(terminal, 'flaky', 'Fix the flaky checkout test');
  terminal.press('Enter');
  // There is room for what stands beside it.
  expect(await terminal.see('TODO 3/3')).toMatch(/│ FILES 1/);
  for (const [columns, rows] of [
    [40, 10],
    [80, 24],
    [200, 60],
    [20, 6],
    [80, 24],
  ] as const) {
    terminal.resize(columns, rows);
    await until(() => {
      const lines = terminal.screen().split('\n');
      return (
        lines.slice(0, 6).some((line) => line === '─'.repeat(columns)) && lines.some((line) => line.includes('keys'))
      );
    });
  }
  terminal.press('C-c');
  await expectLeft(terminal, 130);
});

test.skipIf(missing !== undefined)('when its server dies it says so, and leaves the terminal as it was', async () => {
  const demo = await startDemo();
  const terminal = await enter(demo);
  demo.child.kill('SIGKILL');
  await terminal.see('the server cannot be reached');
  terminal.type('q');
  await expectLeft(terminal, 0);
});

test.skipIf(missing !== undefined)('without a server it has one of its own, which ends with it', async () => {
  const folder = createFolder();
  const env = { HOME: folder, TAILRACE_HOME: join(folder, 'data'), CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const terminal = openTerminal({ folder, env, rows: 50 });
  startView(terminal);
  await terminal.see('There are no sessions yet');
  terminal.type('?');
  const help = await terminal.see(/code +[2-9A-HJ-NP-Z]{8}/);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(help)?.[0] ?? '';
  expect((await fetch(`${url}/api/health`)).status).toBe(401);
  terminal.press('Escape');
  await terminal.see('There are no sessions yet');
  terminal.press('C-c');
  await expectLeft(terminal, 130);
  await expect(fetch(`${url}/api/health`)).rejects.toThrow();
  expect(readdirSync(join(folder, 'data'))).not.toContain('server.json');
});

test.skipIf(missing !== undefined)('whoever ends it from outside finds the terminal as it was', async () => {
  const folder = createFolder();
  const env = { HOME: folder, TAILRACE_HOME: join(folder, 'data'), CLAUDE_CONFIG_DIR: join(folder, 'claude') };
  const terminal = openTerminal({ folder, env });
  startView(terminal);
  await terminal.see('There are no sessions yet');
  const { pid } = JSON.parse(readFileSync(join(folder, 'data', 'server.json'), 'utf8'));
  process.kill(pid, 'SIGTERM');
  await expectLeft(terminal, 130);
});
