// `tailrace serve` when it ends: asked to, asked twice, and killed.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunInfo, SessionInfo } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { call } from '../command.ts';
import { type Person, send, signIn } from './person.ts';
import { createPlace, isAlive, type Served, type Step, serve, until } from './served.ts';

const WAITS: readonly Step[] = [
  ['init'],
  ['prompt'],
  ['call', 'c1', 'Bash', { command: 'make' }],
  ['ask', 'c1', 'Bash', { command: 'make' }],
  ['hang'],
];
const REASON = 'the program that ran it died';

interface Working {
  readonly served: Served;
  readonly person: Person;
  readonly runId: string;
  readonly sessionId: string;
  /** The agent and what it started. */
  readonly pids: readonly number[];
}

/** A server with a run that waits for an answer. */
async function working(steps: readonly Step[] = [['child', 'own-session'], ...WAITS]): Promise<Working> {
  const place = createPlace();
  place.script(steps);
  const served = await serve(place);
  const person = await signIn(served);
  const { items } = await person.json<{ items: { id: string; folder: string }[] }>('/api/projects');
  const project = items.find(({ folder }) => folder === place.project)?.id;
  const { runId } = await person.json<{ runId: string }>('/api/runs', { project, prompt: 'Build it' });
  const run = await until(async () => (await runsOf(person)).find(({ requests }) => requests.length > 0));
  const children = readFileSync(join(place.folder, 'children'), 'utf8').trim().split('\n').map(Number);
  const pids = [place.told().pid, ...children];
  expect(pids.every(isAlive)).toBe(true);
  return { served, person, runId, sessionId: run.sessionId ?? '', pids };
}

const runsOf = async (person: Person): Promise<readonly RunInfo[]> =>
  (await person.json<{ items: RunInfo[] }>('/api/runs')).items;

async function sessionByCommand({ env }: Served, id: string): Promise<SessionInfo> {
  const { stdout } = await call(['sessions', '--json'], { env });
  return JSON.parse(stdout).find((session: SessionInfo) => session.id === id);
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s: runs are stopped, all is kept, nothing is left',
  async (signal) => {
    const { served, person, sessionId, pids } = await working();
    const listening = await person.listen();
    served.child.kill(signal);
    expect(await served.ended).toEqual({ code: 130, signal: null });
    expect(await listening.closed).toBe(1001);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(readdirSync(served.home).filter((name) => !DATA.has(name))).toEqual([]);
    expect(await sessionByCommand(served, sessionId)).toMatchObject({ status: 'cancelled' });
    const { stdout } = await call(['export', sessionId, '--json'], { env: served.env });
    expect(stdout).toContain('"run-start"');
    expect(stdout).toContain('permission-request');
    // Who was signed in is not any more: the next one has another secret.
    const next = await serve(served);
    const { status } = await send(next.port, '/api/sessions', { ...person.headers, origin: next.url });
    expect(status).toBe(401);
  },
);

/** All that may be there when no server is. */
const DATA = new Set(['tailrace.db', 'audit.ndjson', 'spool', 'usage-cache', 'config.json']);

test('a second signal does not wait for anything', async () => {
  const { served, pids } = await working([['deaf'], ['child', 'deaf'], ...WAITS]);
  served.child.kill('SIGINT');
  await until(
    async () =>
      !(await send(served.port, '/', {}).then(
        () => true,
        () => false,
      )),
  );
  // The agent does not listen, so the first one is waiting for it.
  expect(isAlive(pids[0] ?? 0)).toBe(true);
  served.child.kill('SIGINT');
  expect(await served.ended).toEqual({ code: 130, signal: null });
  await until(() => !pids.some(isAlive));
  // Nobody was there to write the end of its run; the next one does.
  const next = await serve(served);
  await until(() => next.output.stderr.includes('a run of a server that died is shown as ended'));
});

test('a server that is killed: the next one shows its runs as ended, with the reason, and nothing of them is left', async () => {
  const { served, runId, sessionId, pids } = await working();
  served.child.kill('SIGKILL');
  await served.ended;
  const next = await serve(served);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(await sessionByCommand(next, sessionId)).toMatchObject({ status: 'incomplete' });
  const person = await signIn(next);
  expect(await runsOf(person)).toEqual([]);
  const session = await until(async () => {
    const found = await person.json<SessionInfo>(`/api/sessions/${sessionId}`);
    return found.status === 'running' ? undefined : found;
  });
  expect(session).toMatchObject({ status: 'incomplete', live: null });
  const { items } = await person.json<{ items: unknown[] }>(`/api/sessions/${sessionId}/events`);
  expect(JSON.stringify(items)).toContain(REASON);
  const answer = { requestId: 'ask-c1', digest: 'x', answer: { decision: 'allow' } };
  expect((await person.ask(`/api/runs/${runId}/answer`, answer)).status).toBe(404);
  await until(() => next.output.stderr.includes('of a server that died'));
});

test('a server that nobody reads goes on with its runs', async () => {
  const { served, person, pids } = await working();
  served.child.stdout?.destroy();
  const { status } = await send(served.port, '/api/code', { origin: served.url }, {});
  expect([204, 429]).toContain(status);
  await until(async () => (await send(served.port, '/api/code', { origin: served.url }, {})).status === 204);
  await until(() => served.output.stderr.includes('nobody reads the output any more'));
  expect(await runsOf(person)).toHaveLength(1);
  expect(pids.every(isAlive)).toBe(true);
  served.child.kill('SIGTERM');
  expect(await served.ended).toEqual({ code: 130, signal: null });
});
