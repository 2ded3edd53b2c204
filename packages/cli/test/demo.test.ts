// `tailrace demo` as a person has it: the address and the code, sessions that play, one that waits for them, and nothing left behind.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenRequest, RunInfo, SessionInfo } from '@tailrace/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { call } from './command.ts';
import { type Person, signIn } from './serve/person.ts';
import { until } from './serve/served.ts';

const bin = fileURLToPath(new URL('../dist/tailrace.js', import.meta.url));

/** Twenty times as fast as it happened. */
const WORDS = ['demo', '--no-open', '--port', '0', '--speed', '20'];

async function begin(words: readonly string[] = WORDS) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tailrace-demo-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const one of [home, temporary]) mkdirSync(one);
  const child = spawn(process.execPath, [bin, ...words], {
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => {
    output.stdout += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    output.stderr += bytes.toString();
  });
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  const codes = (): string[] => output.stdout.split('\n').slice(1, -1);
  await Promise.race([ended, until(() => codes().length > 0)]);
  const port = Number(/^listening on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(output.stdout)?.[1]);
  const url = `http://127.0.0.1:${port}`;
  return { child, output, ended, codes, port, url, left: () => [...readdirSync(home), ...readdirSync(temporary)] };
}

const runsOf = async (person: Person): Promise<readonly RunInfo[]> =>
  (await person.json<{ items: RunInfo[] }>('/api/runs')).items;

async function sessionOf(person: Person, title: string): Promise<SessionInfo | undefined> {
  const { items } = await person.json<{ items: SessionInfo[] }>('/api/sessions?limit=50');
  return items.find((one) => one.title === title);
}

async function waitingFor(person: Person, type: string): Promise<(OpenRequest & { runId: string }) | undefined> {
  for (const { runId, requests } of await runsOf(person))
    for (const one of requests) if (one.request.type === type) return { ...one, runId };
  return undefined;
}

const answer = (person: Person, { runId, request, digest }: OpenRequest & { runId: string }, given: object) =>
  person.json(`/api/runs/${runId}/answer`, { requestId: request.requestId, digest, answer: given });

test('sessions play live, wait for their person, go on and end, one of them badly; then nothing is left', async () => {
  const demo = await begin();
  expect(demo.output.stdout).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n[2-9A-HJ-NP-Z]{8}\n$/);
  const person = await signIn(demo);

  // Sessions of days before are there, and the projects have their names.
  const older = await until(async () => {
    const found = await sessionOf(person, 'Add a health check endpoint');
    return found?.status === 'success' ? found : undefined;
  });
  const hoursAgo = (Date.now() - (older.endedAt ?? 0)) / 3_600_000;
  expect(older).toMatchObject({ project: 'shop-api', costUsd: expect.any(Number) });
  expect(hoursAgo).toBeGreaterThan(1);
  expect(hoursAgo).toBeLessThan(24 * 7);

  // It asks, and nothing of it goes on before it is answered.
  const permission = await until(() => waitingFor(person, 'permission-request'));
  expect(permission.request).toMatchObject({ input: { command: 'rm -rf build/ && npm run build' } });
  const question = await until(() => waitingFor(person, 'question-request'));
  expect((await runsOf(person)).find(({ runId }) => runId === permission.runId)).toMatchObject({ state: 'waiting' });
  await answer(person, permission, { decision: 'allow' });
  const built = await until(async () => {
    const found = await sessionOf(person, 'Clean the build folder and build again');
    return found?.status === 'running' ? undefined : found;
  });
  expect(built).toMatchObject({ status: 'success', project: 'infra', costState: 'reconciled' });
  expect(built.lastText).toContain('Done: the folder was removed and built again.');

  await answer(person, question, {
    decision: 'answer',
    content: { 'Which way to install should the guide show first?': 'Container' },
  });
  const written = await until(async () => {
    const found = await sessionOf(person, 'Rewrite the install guide');
    return found?.status === 'success' ? found : undefined;
  });
  expect(written.lastText).toContain('in a container');

  // One with a sub-agent, and one that fails.
  const fixed = await until(async () => {
    const found = await sessionOf(person, 'Fix the flaky checkout test');
    return found?.status === 'success' ? found : undefined;
  });
  expect(fixed).toMatchObject({ project: 'shop-api', subagents: 1, files: 1, costState: 'reconciled' });
  await until(async () => (await sessionOf(person, 'Write the weekly report'))?.status === 'error');

  // One is a conversation: it waits for what its person says.
  const talk = await until(async () => (await runsOf(person)).find(({ state }) => state === 'idle'));
  await person.json(`/api/runs/${talk.runId}/send`, { text: 'Go ahead' });
  const told = await until(async () => {
    const found = await sessionOf(person, 'Why is the product search slow?');
    return found?.turns === 2 ? found : undefined;
  });
  expect(told).toMatchObject({ files: 1, lastText: expect.stringContaining('The migration is written') });

  // The person may start one too.
  const { items } = await person.json<{ items: { id: string; name: string }[] }>('/api/projects');
  expect(items.map(({ name }) => name).sort()).toEqual(['docs', 'infra', 'reports', 'search', 'shop-api']);
  const project = items.find(({ name }) => name === 'docs')?.id;
  await person.json('/api/runs', { project, prompt: 'Paint it blue' });
  await until(async () => (await sessionOf(person, 'Paint it blue'))?.status === 'success');

  // And go on with one, of which no more was recorded.
  await person.json('/api/runs', { project: built.projectId, prompt: 'Thank you', resume: built.id });
  const gone = await until(async () => {
    const found = await sessionOf(person, 'Clean the build folder and build again');
    return found?.status === 'success' && found.turns === 2 ? found : undefined;
  });
  expect(gone).toMatchObject({ id: built.id, lastText: expect.stringContaining('what was recorded ends here') });

  demo.child.kill('SIGINT');
  expect(await demo.ended).toBe(130);
  expect(demo.left()).toEqual([]);
  expect(demo.output.stderr).toBe('');
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s at once, with runs in the middle, leaves nothing behind',
  async (signal) => {
    const demo = await begin(['demo', '--no-open', '--port', '0']);
    const person = await signIn(demo);
    await until(async () => (await runsOf(person)).some(({ state }) => state === 'working'));
    expect(demo.left()).not.toEqual([]);
    demo.child.kill(signal);
    expect(await demo.ended).toBe(130);
    expect(demo.left()).toEqual([]);
  },
);

test('a port that is taken gives another one', async () => {
  const other = createServer();
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const demo = await begin(['demo', '--no-open', '--port', String(port)]);
  expect(demo.port).toBeGreaterThan(0);
  expect(demo.port).not.toBe(port);
});

test.each([
  ['--speed', 'fast', 'takes a number'],
  ['--port', 'x', 'is no port'],
])('%s %s is wrong usage', async (option, value, message) => {
  const { code, stdout, stderr } = await call(['demo', option, value]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
});
