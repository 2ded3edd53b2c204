// A stream at a real terminal, which `script` makes: what stands there in the end is what a pipe gets, and nothing else is left.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import headless from '@xterm/headless';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fixtures } from './command.ts';
import { screenOf } from './screen.ts';
import { missing, openTerminal, type Terminal } from './view/tmux.ts';

const bin = fileURLToPath(new URL('../dist/tailrace.js', import.meta.url));

interface Shown {
  readonly lines: readonly string[];
  readonly bytes: string;
  readonly terminal: InstanceType<typeof headless.Terminal>;
}

async function onTerminal(text: string, columns: number, rows: number): Promise<Shown> {
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
    convertEol: true,
  });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '');
  while (lines.at(-1) === '') lines.pop();
  return { lines, bytes: text, terminal };
}

/** Pipes a capture into the command at a terminal of that size. */
async function viewed(name: string, columns: number, rows: number, ...words: readonly string[]): Promise<Shown> {
  const line = `stty cols ${columns} rows ${rows}; cat ${fixtures}${name}.ndjson | ${command(words)}`;
  const { code, out } = await typed(line);
  expect(code).toBe(0);
  return onTerminal(out, columns, rows);
}

function command(words: readonly string[]): string {
  return [process.execPath, bin, ...words].join(' ');
}

/** A line that a shell at a terminal runs. */
async function typed(line: string): Promise<{ readonly code: number | null; readonly out: string }> {
  const { PATH = '' } = process.env;
  const child = spawn('script', ['-q', '-e', '-c', line, '/dev/null'], {
    env: { PATH, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out };
}

describe('at a terminal', () => {
  test.each([
    ['tools-read-edit', 80, 24],
    ['subagents-two', 60, 10],
    ['tool-errors', 40, 8],
    ['unicode', 50, 24],
    ['todo-write', 100, 5],
    ['stdin-multiturn', 80, 24],
  ])('%s ends as it is printed into a pipe, in %d × %d', async (name, columns, rows) => {
    const bytes = readFileSync(`${fixtures}${name}.ndjson`);
    const shown = await viewed(name, columns, rows);
    const flat = await onTerminal(screenOf(bytes, { columns, isColoured: true }), columns, rows);
    expect(shown.lines).toEqual(flat.lines);
    expect(shown.terminal.modes).toEqual(flat.terminal.modes);
    expect(shown.terminal.buffer.active.type).toBe('normal');
    // The title is put on the stack once, and taken back.
    expect(shown.bytes.split('\u001b[22;2t')).toHaveLength(2);
    expect(shown.bytes.split('\u001b[23;2t')).toHaveLength(2);
  });

  test.each([[['view']], [['--notify']], [['--plain']], [['events']], [['summary']]])(
    '%j with nobody at the other end says what is missing',
    async (words) => {
      const { code, out } = await typed(command(words));
      expect(out).toMatch(/^tailrace: there is nothing to read: .+\r\n$/);
      expect(code).toBe(2);
    },
  );

  test('--plain rewrites nothing and has no colour', async () => {
    const { bytes } = await viewed('tools-read-edit', 80, 24, '--plain');
    expect(bytes).not.toContain('\u001b');
  });

  test('--quiet shows only what it came to; --notify rings when it ends', async () => {
    const { lines, bytes } = await viewed('tools-read-edit', 80, 24, '--quiet', '--notify');
    expect(lines.join('\n').trim()).toMatch(/^✓ done in 0\.4 s/);
    expect(bytes.endsWith('\u0007')).toBe(true);
  });
});

describe.skipIf(missing)('in tmux', () => {
  /** A shell in which a line is typed. */
  function shell(line: string): Terminal {
    const folder = mkdtempSync(join(tmpdir(), 'tailrace-live-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const terminal = openTerminal({ folder, env: { TAILRACE_HOME: folder } });
    terminal.type(line);
    terminal.press('Enter');
    return terminal;
  }

  // The pipe stays open until somebody ends it: the last line is drawn again and again.

  test('frames leave nothing in its history, also where they begin on the first row', async () => {
    const terminal = shell(`clear; cat | ${command(['view'])}`);
    await terminal.see(/^starting · (?:[3-9]|\d\d) s/);
    expect(terminal.history().match(/starting/g)).toHaveLength(1);
    terminal.press('C-d');
    await terminal.see('nothing came');
  });

  test('what was estimated while it ran is told at the end, with its mark', async () => {
    const capture = join(fixtures, '../../gemini/0.61.0/multi-tool.ndjson');
    const terminal = shell(`clear; cat ${capture} - | ${command(['view'])}`);
    const cost = /· (~\$[\d.]+) ·/.exec(await terminal.see(/· ~\$[\d.]+ · \d+ s/))?.[1];
    terminal.press('C-d');
    expect(await terminal.see(/✓ done/)).toContain(` · ${cost} · `);
  });
});
