import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { until } from '../../test/process/in-folder.ts';
import { isMarked, markRun } from './marker.ts';
import { parseStat, procTable } from './proc.ts';
import { parsePs, psArguments, psTable } from './ps.ts';
import { treeCommand } from './windows-tree.ts';

const started: ChildProcess[] = [];
function sleeper(env: NodeJS.ProcessEnv, file = '/bin/sleep'): number {
  const child = spawn(file, ['60'], { env, stdio: 'ignore', detached: true });
  started.push(child);
  return child.pid ?? 0;
}
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const STAT_REST = '1 42 42 0 -1 4194304 135 0 0 0 0 0 0 0 20 0 1 0 3255086 3850240 478 18446744073709551615 1 1';

describe('a line of /proc/<pid>/stat', () => {
  test.each([
    ['a plain name', '7 (sleep)'],
    ['spaces', '7 (tmux: server)'],
    ['brackets and what looks like the fields', '7 (a) Z 9 9 (b)'],
    ['a line end', '7 (two\nlines)'],
    ['nothing', '7 ()'],
  ])('is read with a name of %s', (_, beginning) => {
    expect(parseStat(`${beginning} S ${STAT_REST}`)).toEqual({
      pid: 7,
      parent: 1,
      group: 42,
      startTime: '3255086',
      isZombie: false,
    });
  });

  test.each(['Z', 'X', 'x'])('tells that the process is dead: %s', (state) => {
    expect(parseStat(`7 (sleep) ${state} ${STAT_REST}`)?.isZombie).toBe(true);
  });

  test.each(['', '7', '7 (sleep', '7 (sleep) S 1 2', 'x (sleep) S'])('is none: %j', (text) => {
    expect(parseStat(text)).toBeUndefined();
  });

  test('never makes it fail, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        parseStat(text);
        parsePs(text);
      }),
      { numRuns: counts.runs },
    );
  });
});

const MAC = `    1     0     1 Ss   Sun Nov 15 08:55:59 2026 /sbin/launchd
  612   601   612 S+   Sun Nov 15 17:57:38 2026 claude --print HOME=/Users/dev TAILRACE_RUN_ID=run-1 TERM=xterm
  640   612   640 Ss   Mon Nov  2 07:07:08 2026 /bin/zsh -c sleep 60 TAILRACE_OUTER_RUNS=run-0:run-1 TAILRACE_RUN_ID=run-2
  641   612   612 Z    Mon Nov  2 07:07:08 2026 (zsh)
`;
const LINUX = `    1     0     0 SLl  Sun Nov 15 08:55:59 2026 /sbin/init --x
    2     0     0 S    Sun Nov 15 08:55:59 2026 [kthreadd]
31245 31245 31245 R+   Sun Nov 15 17:57:38 2026 sleep 60 TAILRACE_RUN_ID=run-1x
garbage
12 13
`;

describe('what `ps` prints', () => {
  test('on macOS', () => {
    const list = parsePs(MAC);
    expect(list.map(({ pid, parent, group, isZombie }) => [pid, parent, group, isZombie])).toEqual([
      [1, 0, 1, false],
      [612, 601, 612, false],
      [640, 612, 640, false],
      [641, 612, 612, true],
    ]);
    expect(list[1]?.startTime).toBe('Sun Nov 15 17:57:38 2026');
    expect(list.map((one) => one.hasMarker('run-1'))).toEqual([false, true, true, false]);
    expect(list.map((one) => one.hasMarker('run-0'))).toEqual([false, false, true, false]);
  });

  test('on Linux, with lines that are none', () => {
    const list = parsePs(LINUX);
    expect(list.map(({ pid }) => pid)).toEqual([1, 2, 31245]);
    expect(list.some((one) => one.hasMarker('run-1'))).toBe(false);
  });

  test('is asked for with one argument for each column, since a heading takes the rest of its own', () => {
    expect(psArguments('darwin')).toEqual([
      '-A',
      '-E',
      '-ww',
      '-o',
      'pid=',
      '-o',
      'ppid=',
      '-o',
      'pgid=',
      '-o',
      'stat=',
      '-o',
      'lstart=',
      '-o',
      'command=',
    ]);
    expect(psArguments('freebsd', 7).slice(0, 3)).toEqual(['eww', '-p', '7']);
  });
});

describe.each([
  ['the files of Linux', procTable],
  ['the real ps', psTable('linux')],
])('%s', (_, table) => {
  test('show this process, and a child with its group and mark', async () => {
    const pid = sleeper({ ...markRun('inner', { TAILRACE_RUN_ID: 'outer' }), PATH: process.env['PATH'] });
    const find = () => table.list().find((one) => one.pid === pid);
    await until(() => find()?.hasMarker('inner') === true);
    expect(find()).toMatchObject({ pid, parent: process.pid, group: pid, isZombie: false });
    expect(['inner', 'outer', 'inne', 'other', ''].map((id) => find()?.hasMarker(id))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(table.startTimeOf(process.pid)).toBeDefined();
  });

  test('have no start time for a number that nobody has', () => {
    expect(table.startTimeOf(999_999_999)).toBeUndefined();
  });
});

test('a program whose name is made to mislead is read right', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-table-'));
  try {
    const file = join(folder, 'a) Z 1 (b');
    copyFileSync('/bin/sleep', file);
    const pid = sleeper({}, file);
    expect(procTable.list().find((one) => one.pid === pid)).toMatchObject({
      parent: process.pid,
      group: pid,
      isZombie: false,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a child that has ended and was not asked about is dead', async () => {
  // The shell becomes a program that never asks about the child it got. Until then it might ask, so the child waits for that.
  const script = 'cat <&3 & echo $!; exec sleep 60';
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
  started.push(child);
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  await until(() => text.endsWith('\n') && readFileSync(`/proc/${child.pid}/comm`, 'utf8') === 'sleep\n');
  (child.stdio[3] as Writable).end();
  const pid = Number(text);
  await until(() => procTable.list().find((one) => one.pid === pid)?.isZombie === true);
  expect(procTable.startTimeOf(pid)).toBeUndefined();
  expect(procTable.childrenOf?.(child.pid ?? 0)).toEqual([pid]);
});

describe('the mark', () => {
  test.each([
    ['PATH=/bin\0TAILRACE_RUN_ID=a\0', true],
    ['TAILRACE_RUN_ID=a', true],
    ['XTAILRACE_RUN_ID=a\0', false],
    ['TAILRACE_RUN_ID=ab\0', false],
    ['X=TAILRACE_RUN_ID=a\0', false],
    ['TAILRACE_OUTER_RUNS=x:a:b\0TAILRACE_RUN_ID=c\0', true],
    ['TAILRACE_OUTER_RUNS=x:ab\0', false],
    ['', false],
  ])('%j: %j', (environment, expected) => {
    expect(isMarked(environment, 'a')).toBe(expected);
  });

  test('names the runs that a run is inside of', () => {
    expect(markRun('a', {})).toEqual({ TAILRACE_RUN_ID: 'a' });
    expect(markRun('b', { TAILRACE_RUN_ID: 'a' })).toEqual({ TAILRACE_RUN_ID: 'b', TAILRACE_OUTER_RUNS: 'a' });
    expect(markRun('c', { TAILRACE_RUN_ID: 'b', TAILRACE_OUTER_RUNS: 'a' })['TAILRACE_OUTER_RUNS']).toBe('a:b');
  });
});

describe('the tree on Windows', () => {
  test.each([
    [1234, { SystemRoot: 'D:\\Win' }, { file: 'D:\\Win\\System32\\taskkill.exe', args: ['/PID', '1234', '/T', '/F'] }],
    [1234, {}, { file: 'C:\\Windows\\System32\\taskkill.exe', args: ['/PID', '1234', '/T', '/F'] }],
    [undefined, {}, undefined],
    [0, {}, undefined],
    [4, {}, undefined],
    [-1, {}, undefined],
    [Number.NaN, {}, undefined],
    [1.5, {}, undefined],
  ])('of %j is ended by the right command', (pid, env, expected) => {
    expect(treeCommand(pid, env)).toEqual(expected);
  });
});
