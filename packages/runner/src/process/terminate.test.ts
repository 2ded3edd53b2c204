import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clear, processesIn, until } from '../../test/process/in-folder.ts';
import type { Clock } from '../clock.ts';
import type { ProcessEntry, ProcessTable } from './entry.ts';
import { followDescendants } from './follow.ts';
import { markRun } from './marker.ts';
import { procTable } from './proc.ts';
import { nameProcess, signalProcess, sweep, sweepRun } from './terminate.ts';

let root = '';
let folder = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-sweep-')));
});
afterEach(() => clear(folder));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs a shell script as the agent of a run, in a folder of its own, and waits until it has made the file `ready`. */
async function startAgent(script: string): Promise<{ runId: string; child: ChildProcess; pid: number }> {
  folder = mkdtempSync(join(root, 'run-'));
  writeFileSync(join(folder, 'agent.sh'), script);
  const runId = randomUUID();
  const env = { PATH: process.env['PATH'], ...markRun(runId, {}) };
  const child = spawn('/bin/sh', ['agent.sh'], { cwd: folder, detached: true, env, stdio: 'ignore' });
  await until(() => existsSync(join(folder, 'ready')));
  return { runId, child, pid: child.pid ?? 0 };
}

/** Each wait is over at once, and the time goes on by it. */
function quickClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    after(milliseconds, act) {
      // Real processes need a moment to die.
      const timer = setTimeout(() => {
        now += milliseconds;
        act();
      }, 1);
      return () => clearTimeout(timer);
    },
  };
}

const clock = quickClock();

describe('a sweep', () => {
  test('ends a whole run, also those that ignore TERM and those that have left the group', async () => {
    const { runId, pid } = await startAgent(`
      setsid sh -c 'trap "" TERM; sleep 60; :' &
      env -i /usr/bin/setsid /bin/sleep 60 &
      sh -c 'trap "" TERM INT HUP; touch ready; sleep 60; :' &
      wait`);
    const { signalled, left } = await sweep({ runId, agent: nameProcess(pid) }, { clock });
    expect(processesIn(folder)).toEqual([]);
    expect(left).toEqual([]);
    expect(signalled).toBeGreaterThanOrEqual(5);
  });

  test('asks first: who follows TERM is not killed', async () => {
    const { runId, pid, child } = await startAgent(
      `trap 'touch followed; exit 7' TERM; touch ready; while :; do sleep 0.01; done`,
    );
    const exit = new Promise((resolve) => child.once('exit', resolve));
    // The time stands still, so that nobody is ever late.
    await sweep({ runId, agent: nameProcess(pid) }, { clock: { ...clock, now: () => 0 } });
    expect(await exit).toBe(7);
    expect(existsSync(join(folder, 'followed'))).toBe(true);
  });

  test('goes on while processes are born', async () => {
    // A new session is opened again and again, each by a process that ends at once.
    const { runId } = await startAgent(`
      cat > hop.sh <<'END'
      sleep 0.03
      setsid sh hop.sh &
END
      sh hop.sh
      touch ready
      sleep 60`);
    expect((await sweepRun(runId, { patience: 0, limit: 20_000 })).left).toEqual([]);
    expect(processesIn(folder)).toEqual([]);
  });

  test('leaves nobody who was born while it looked, without a mark and of a parent that died then', async () => {
    const { runId, pid } = await startAgent(`
      touch ready
      while :; do env -i /usr/bin/setsid /bin/sleep 60 & sleep 0.001; done`);
    await until(() => processesIn(folder).length > 20);
    await sweep({ runId, agent: nameProcess(pid) }, { patience: 0 });
    expect(processesIn(folder)).toEqual([]);
  });

  test('finds what is left of a run by its id alone, and nobody else', async () => {
    const other = await startAgent('touch ready; exec sleep 60');
    const otherFolder = folder;
    const { runId } = await startAgent(`setsid sh -c 'sleep 60; :' & touch ready; exec sleep 60`);
    await sweepRun(runId, { clock });
    expect(processesIn(folder)).toEqual([]);
    expect(processesIn(otherFolder)).toEqual([other.pid]);
    await clear(otherFolder);
  });

  test('leaves alone who is spared', async () => {
    const { runId, pid } = await startAgent('setsid sleep 60 & touch ready; exec sleep 61');
    const agent = nameProcess(pid);
    await until(() => processesIn(folder).length === 2);
    await sweep({ runId, agent }, { clock, spare: (one) => one.pid !== pid });
    expect(processesIn(folder)).toHaveLength(1);
  });

  test('ends an orphan without a mark that was followed in time', async () => {
    const { runId, pid, child } = await startAgent(`
      env -i /usr/bin/setsid /bin/sleep 60 &
      touch ready
      while [ ! -e go ]; do sleep 0.01; done`);
    const remembered = new Map([[pid, procTable.startTimeOf(pid) ?? '']]);
    // Not before it is the program that has lost its mark, in a session of its own.
    const isOrphan = (one: number): boolean =>
      readFileSync(`/proc/${one}/cmdline`, 'latin1').startsWith('/bin/sleep\0');
    await until(() => {
      followDescendants(remembered);
      return processesIn(folder).some((one) => remembered.has(one) && isOrphan(one));
    });
    const exit = new Promise((resolve) => child.once('exit', resolve));
    writeFileSync(join(folder, 'go'), '');
    await exit;
    await sweep({ runId, agent: { pid, startTime: '' } }, { clock });
    expect(processesIn(folder)).toHaveLength(1);
    await sweep({ runId, agent: { pid, startTime: '' } }, { clock, remembered });
    expect(processesIn(folder)).toEqual([]);
  });
});

/** A machine on paper. */
function paperTable(
  looks: readonly (readonly ProcessEntry[])[],
  startTimeOf: ProcessTable['startTimeOf'],
): ProcessTable & { count: number } {
  const table = { count: 0, list: () => looks[Math.min(table.count++, looks.length - 1)] ?? [], startTimeOf };
  return table;
}

describe('on paper', () => {
  // Higher than any number that a process can have.
  const ghost: ProcessEntry = {
    pid: 99_999_999,
    parent: 1,
    group: 5,
    startTime: 'a',
    isZombie: false,
    hasMarker: () => true,
  };

  test('two looks in a row have to find nobody', async () => {
    const table = paperTable([[], [ghost], [], [ghost], [], []], () => undefined);
    await sweepRun('run', { clock, table });
    expect(table.count).toBe(6);
  });

  test('it looks at least as long as it is told to', async () => {
    let now = 0;
    const table = paperTable([[]], () => undefined);
    const slow: Clock = {
      now: () => now,
      after(milliseconds, act) {
        now += milliseconds;
        queueMicrotask(act);
        return () => {};
      },
    };
    await sweepRun('run', { clock: slow, table, atLeast: 500 });
    expect(now).toBeGreaterThanOrEqual(500);
  });

  test('it gives up in the end, and names who is left', async () => {
    const table = paperTable([[ghost]], () => 'a');
    expect((await sweepRun('run', { clock: quickClock(), table, limit: 300 })).left).toEqual([
      { pid: 99_999_999, startTime: 'a' },
    ]);
  });

  test('nobody is signalled whose number was given to another since the look', async () => {
    const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
    try {
      const mistaken = { ...ghost, pid: child.pid ?? 0, startTime: 'of another' };
      await sweepRun('run', {
        clock: quickClock(),
        table: paperTable([[mistaken], []], procTable.startTimeOf),
        patience: 0,
      });
      expect(signalProcess(mistaken, 'SIGKILL')).toBe(false);
      expect(procTable.startTimeOf(child.pid ?? 0)).toBeDefined();
      expect(signalProcess(nameProcess(child.pid ?? 0) ?? mistaken, 'SIGKILL')).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test.each([0, 1, process.pid])('process %i is never signalled', (pid) => {
    const asked: number[] = [];
    const table = paperTable([], (one) => {
      asked.push(one);
      return 'a';
    });
    expect(signalProcess({ pid, startTime: 'a' }, 'SIGCONT', table)).toBe(false);
    expect(asked).toEqual([]);
  });
});
