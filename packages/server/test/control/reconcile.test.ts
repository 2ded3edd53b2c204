// What becomes of runs whose server dies.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type AgentStreamEvent, createConversation, type HostLine, reduce } from '@tailrace/core';
import type { Store } from '@tailrace/store';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { DEAD_REASON, reconcileRuns } from '../../src/control/reconcile-runs.ts';
import { createBench, fakeProgram, guardsOf, isAlive, over, person, SESSION, told, until } from './runs-of-fake.ts';

let programs: string;
beforeAll(async () => {
  programs = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-programs-')));
  const sqlite = createRequire(new URL('../../../store/package.json', import.meta.url)).resolve('better-sqlite3');
  const made = await rolldown({
    input: fileURLToPath(new URL('server-process.ts', import.meta.url)),
    platform: 'node',
    plugins: [{ name: 'sqlite', resolveId: (id) => (id === 'better-sqlite3' ? { id: sqlite, external: true } : null) }],
  });
  await made.write({ file: join(programs, 'server.mjs'), format: 'esm', codeSplitting: false });
  await made.close();
});
afterAll(() => rmSync(programs, { recursive: true }));

/** A server of its own process, whose runs wait for an answer. */
async function startServer(
  folder: string,
  env: NodeJS.ProcessEnv,
  count: number,
): Promise<{ readonly child: ChildProcess; readonly runIds: readonly string[] }> {
  const words = [join(programs, 'server.mjs'), folder, fakeProgram, String(count)];
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) return { child, runIds: JSON.parse(line) };
  throw new Error('the server has not begun');
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

async function eventsOf(store: Store, sessionId: string): Promise<readonly AgentStreamEvent[]> {
  const all: AgentStreamEvent[] = [];
  for await (const pieces of store.history.events(sessionId)) for (const { events } of pieces) all.push(...events);
  return all;
}

test('kill -9 of the server: each of its runs has ended with the reason, no process is left, and a second look changes nothing', async () => {
  for (let round = 0; round < counts.serverKills; round++) {
    const bench = await createBench();
    const { store, folder } = bench;
    bench.script([['init'], ['prompt'], ['child', 'own-session'], ['ask', 't1', 'Bash', { command: 'ls' }], ['hang']]);
    const { child, runIds } = await startServer(folder, bench.env, 2);
    expect(await reconcileRuns({ store }), 'while it lives').toEqual([]);
    await kill(child);
    const dead = await reconcileRuns({ store });
    expect(dead.map(({ runId }) => runId).sort()).toEqual([...runIds].sort());
    const pids = [bench.told().pid, ...readFileSync(join(folder, 'children'), 'utf8').trim().split('\n').map(Number)];
    expect(pids.length).toBeGreaterThan(2);
    expect(pids.filter(isAlive)).toEqual([]);
    await store.history.catchUp();
    expect((await store.history.session(SESSION))?.status).toBe('incomplete');
    const events = await eventsOf(store, SESSION);
    const ends = events.filter((event) => event.type === 'run-state' && event.state === 'ended');
    expect(ends).toMatchObject(runIds.map(() => ({ reason: DEAD_REASON })));
    const conversation = events.reduce(reduce, createConversation());
    expect(conversation.run).toMatchObject({ state: 'ended', reason: DEAD_REASON });
    expect(await reconcileRuns({ store })).toEqual([]);
  }
});

test('what the guards could not end is ended: their runs are known by their mark', async () => {
  const bench = await createBench();
  // The agent itself may end when nobody holds its pipes any more; what it has started does not.
  bench.script([['init'], ['prompt'], ['child', 'own-session'], ['ask', 't1', 'Bash', {}], ['hang']]);
  const { child, runIds } = await startServer(bench.folder, bench.env, 1);
  const [runId = ''] = runIds;
  // Nobody is left who would do it: the guard goes first, as soon as it is there.
  const guards = (): readonly number[] => guardsOf(child.pid ?? 0);
  await until(() => guards().length > 0);
  for (const pid of guards()) process.kill(pid, 'SIGKILL');
  await until(() => guards().length === 0);
  await kill(child);
  const left = Number(readFileSync(join(bench.folder, 'children'), 'utf8'));
  expect(isAlive(left)).toBe(true);
  expect(await reconcileRuns({ store: bench.store })).toMatchObject([{ runId }]);
  expect([left, bench.told().pid].filter(isAlive)).toEqual([]);
});

test('runs that have ended, runs that go on here and what came through a pipe are left alone', async () => {
  const bench = await createBench();
  const { runs, store, project } = bench;
  bench.script([['init'], ['prompt'], ['result'], ['exit', 0]]);
  const first = await runs.start(person, { project, prompt: 'Hi' });
  await over(runs, first.runId);
  bench.script([['init'], ['prompt'], ['ask', 't1', 'Bash', {}], ['hang']]);
  const second = await runs.start(person, { project, prompt: 'Hi' });
  await told(runs, () => runs.get(second.runId)?.requests[0]);
  await write(store, 'run:piped', [{ type: 'assistant' }], 'stdout');
  await write(store, 'run:broken', ['not ours'], 'host');
  await write(store, 'run:empty', []);
  const before = await store.record.last();
  expect(await reconcileRuns({ store, sweep: async () => ({ signalled: 0, left: [] }) })).toEqual([]);
  expect(await store.record.last()).toBe(before);
});

test('the end bears the time of the last sign of life; one whose exit was seen needs no reason; who cannot be ended is named', async () => {
  const { store } = await createBench();
  const begun: HostLine = { type: 'run-started', runId: 'x', agent: 'claude' };
  await write(store, 'run:died', [begun]);
  await write(store, 'run:exited', [begun, { type: 'exited', code: 0 }]);
  const left = [{ pid: 1, startTime: '1' }];
  const dead = await reconcileRuns({
    store,
    sweep: async (runId) => ({ signalled: 1, left: runId === 'died' ? left : [] }),
  });
  expect(dead).toHaveLength(2);
  const last = async (name: string, back = 1): Promise<object> => {
    const { nextSeq = 0 } = (await store.record.stream(name)) ?? {};
    const line = await store.record.line(name, nextSeq - back);
    return { at: line?.at, ...JSON.parse(Buffer.from(line?.bytes ?? []).toString()) };
  };
  expect(await last('run:died')).toEqual({ at: 7, type: 'state-changed', state: 'ended', reason: DEAD_REASON });
  expect(await last('run:died', 2)).toMatchObject({ at: 7, type: 'warned', code: 'left' });
  expect(await last('run:exited')).toEqual({ at: 7, type: 'state-changed', state: 'ended' });
});

test('one that cannot be settled is told, and the others are settled', async () => {
  const { store } = await createBench();
  const begun: HostLine = { type: 'run-started', runId: 'x', agent: 'claude' };
  await write(store, 'run:bad', [begun]);
  await write(store, 'run:good', [begun]);
  const warnings: string[] = [];
  const sweep = async (runId: string) => {
    if (runId === 'bad') throw new Error('no');
    return { signalled: 0, left: [] };
  };
  expect(await reconcileRuns({ store, sweep, warn: (one) => warnings.push(one) })).toEqual([
    { runId: 'good', swept: 0 },
  ]);
  expect(warnings).toHaveLength(1);
  expect(await reconcileRuns({ store })).toEqual([{ runId: 'bad', swept: 0 }]);
});

/** A stream that somebody has left. */
async function write(
  store: Store,
  name: string,
  lines: readonly unknown[],
  source: 'host' | 'stdout' = 'host',
): Promise<void> {
  const lease = await store.record.claim(name, { kind: 'run' });
  const rows = lines.map((line) => ({ at: 7, source, bytes: Buffer.from(`${JSON.stringify(line)}\n`) }));
  if (rows.length > 0) await store.record.append(name, 1, rows);
  await lease.release();
}
