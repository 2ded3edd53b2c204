import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { clear, processesIn, until } from '../../test/process/in-folder.ts';
import { guardEnvironment, startGuard } from './guard.ts';
import { GUARD_TEXT } from './guard-text.ts';
import { systemTable } from './table.ts';

const KILLS = counts.supervisorKills;
/** What the issue asks for. */
const LIMIT = 2_000;

/**
 * An agent with everything that is hard to end: a tool's shell in a session of its own, one that ignores every signal that can
 * be, one without our mark, and one whose parent is gone.
 */
const AGENT = `
setsid sh -c 'sleep 60; :' &
sh -c 'trap "" TERM INT HUP; sleep 60; :' &
env -i /usr/bin/setsid /bin/sleep 60 &
setsid sh -c 'setsid sleep 60 &'
touch ready
cat
sleep 60
`;
const PROCESSES_OF_AGENT = 8;

let root = '';
let program = '';
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-guard-')));
  program = join(root, 'supervisor.mjs');
  // As the command is: all in one file, far from where the sources are.
  const bundle = await rolldown({
    input: fileURLToPath(new URL('../../test/process/supervisor.ts', import.meta.url)),
    platform: 'node',
  });
  await bundle.write({ file: program, format: 'esm' });
  await bundle.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Supervisor {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly runId: string;
  /** What it has printed. */
  told(): string;
}

function supervise(mode: 'guarded' | 'alone'): Supervisor {
  const folder = mkdtempSync(join(root, 'run-'));
  writeFileSync(join(folder, 'agent.sh'), AGENT);
  const runId = randomUUID();
  const child = spawn(process.execPath, [program, folder, runId, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return { child, folder, runId, told: () => text };
}

async function kill({ child }: Supervisor): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

const isReady = ({ folder }: Supervisor): boolean =>
  existsSync(join(folder, 'ready')) && processesIn(folder).length >= PROCESSES_OF_AGENT;

const guardOf = ({ told }: Supervisor): number => Number(/agent \d+ (\d+)/.exec(told())?.[1]);

describe('a supervisor that is killed', () => {
  test(`leaves no process of its run after ${LIMIT} ms, ${KILLS} times at any moment`, async () => {
    let slowest = 0;
    const moments = fc.oneof(
      // Right when it has done something, and any time before and after.
      fc.record({ word: fc.constantFrom('guard', 'agent', 'told'), delay: fc.constant(0) }),
      fc.record({ word: fc.constantFrom('guard', 'agent', 'told'), delay: fc.integer({ min: 1, max: 120 }) }),
    );
    await fc.assert(
      fc.asyncProperty(moments, async ({ word, delay }) => {
        const supervisor = supervise('guarded');
        await until(() => supervisor.told().includes(word));
        await new Promise((resolve) => setTimeout(resolve, delay));
        await kill(supervisor);
        const killed = Date.now();
        // Quiet for longer than an agent needs that was being started: one that is not there yet counts as well.
        let lastSeen = killed;
        await until(() => {
          if (processesIn(supervisor.folder).length > 0) lastSeen = Date.now();
          return Date.now() - Math.max(lastSeen, killed) > 400 || Date.now() - killed > 4 * LIMIT;
        });
        const left = processesIn(supervisor.folder).length;
        await clear(supervisor.folder);
        slowest = Math.max(slowest, lastSeen - killed);
        expect({ left, took: lastSeen - killed <= LIMIT }).toEqual({ left: 0, took: true });
      }),
      { numRuns: KILLS, endOnFailure: true },
    );
    if (process.env['TAILRACE_PROOF'] === '1')
      console.log(`${KILLS} kills: the last process was seen ${slowest} ms after its supervisor`);
  });

  test('leaves nobody when its whole run stands, and the guard goes as well', async () => {
    const supervisor = supervise('guarded');
    await until(() => isReady(supervisor));
    const guard = guardOf(supervisor);
    expect(systemTable.startTimeOf(guard)).toBeDefined();
    await kill(supervisor);
    await until(() => processesIn(supervisor.folder).length === 0);
    await until(() => systemTable.startTimeOf(guard) === undefined);
  });

  test('leaves its run alive without a guard', async () => {
    const supervisor = supervise('alone');
    await until(() => isReady(supervisor));
    await kill(supervisor);
    expect(processesIn(supervisor.folder).length).toBeGreaterThan(0);
    await clear(supervisor.folder);
  });

  test('leaves some of its run alive when only the group of the agent is killed', async () => {
    const supervisor = supervise('alone');
    await until(() => isReady(supervisor));
    const group = Number(/agent (\d+)/.exec(supervisor.told())?.[1]);
    await kill(supervisor);
    process.kill(-group, 'SIGKILL');
    await until(() => !systemTable.list().some((one) => one.group === group && !one.isZombie));
    expect(processesIn(supervisor.folder).length).toBeGreaterThan(0);
    await clear(supervisor.folder);
  });
});

describe('a guard', () => {
  test('that is released goes, and ends nobody', async () => {
    const supervisor = supervise('guarded');
    await until(() => isReady(supervisor));
    const guard = guardOf(supervisor);
    supervisor.child.stdin?.write('end\n');
    await until(() => systemTable.startTimeOf(guard) === undefined);
    // All but the agent, which its supervisor has ended, and the one that read its input.
    expect(processesIn(supervisor.folder).length).toBeGreaterThanOrEqual(PROCESSES_OF_AGENT - 2);
    await clear(supervisor.folder);
  });

  test('stays when it is told to end, and when its terminal is, and does its work after that', async () => {
    const supervisor = supervise('guarded');
    await until(() => isReady(supervisor));
    const guard = guardOf(supervisor);
    // Before it is ready a signal ends it, as it does any program: its title shows that it is.
    await until(() => titleOf(guard) === 'tailrace-guard');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.kill(guard, signal);
    await kill(supervisor);
    await until(() => processesIn(supervisor.folder).length === 0);
  });

  test('has a group of its own, which Ctrl-C in our terminal does not reach', async () => {
    const guard = startGuard(randomUUID());
    expect(systemTable.list().find(({ pid }) => pid === guard.pid)?.group).toBe(guard.pid);
    guard.release();
    expect(await guard.ended).toBe('released');
  });

  test('goes on looking for a while: an agent that was being started shows its mark late', async () => {
    const began = performance.now();
    const child = spawn(process.execPath, ['-e', GUARD_TEXT, '--', randomUUID()], { stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    expect(performance.now() - began).toBeGreaterThanOrEqual(500);
  });

  test('that somebody kills is told of', async () => {
    const guard = startGuard(randomUUID());
    process.kill(guard.pid ?? 0, 'SIGKILL');
    expect(await guard.ended).toBe('lost');
    // Nobody is there to hear these.
    guard.tell({ pid: 999_999_999, startTime: '1' });
    guard.release();
  });

  test('inherits nothing that is about a run, about Node, or secret', () => {
    const env = { Path: 'p', TAILRACE_RUN_ID: 'outer', NODE_OPTIONS: '--inspect-brk', API_KEY: 'k', SystemRoot: 'C:' };
    expect(guardEnvironment(env, {})).toEqual({ Path: 'p', SystemRoot: 'C:' });
    expect(guardEnvironment({ PATH: 'p' }, { electron: '38' })).toEqual({ PATH: 'p', ELECTRON_RUN_AS_NODE: '1' });
  });
});

function titleOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', '');
}
