// Taking a session back to before a prompt, by those who may, as it was shown, and while nobody works on it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agents } from '@tailrace/core';
import { rewindPreviewReply, rewindReply } from '@tailrace/protocol';
import type { Lease, StreamKind } from '@tailrace/store';
import { expect, test } from 'vitest';
import { ProblemError } from '../../src/problem-error.ts';
import {
  type Bench,
  codeOf,
  createBench,
  over,
  person,
  program,
  SESSION,
  type Step,
  told,
  until,
} from './runs-of-fake.ts';

const FIRST = '11111111-2222-4333-8444-000000000001';
const SECOND = '11111111-2222-4333-8444-000000000002';
const ANSWER = '11111111-2222-4333-8444-000000000003';
const REWINDS: Step = ['rewinds', { [SECOND]: { 'a.txt': 'then\n', 'new.txt': null } }];
/** When the session was. */
const LONG_AGO = Date.now() - 3_600_000;
const wanted = { sessionId: SESSION, checkpoint: SECOND };

const user = (uuid: string, content: string): object => ({
  type: 'user',
  uuid,
  session_id: SESSION,
  isReplay: true,
  message: { role: 'user', content },
});

/** Keeps lines as a stream of the session, and has it until the lease is given back. */
async function claim(
  { store }: Bench,
  kind: StreamKind,
  lines: readonly object[],
  name = `${kind}:${crypto.randomUUID()}`,
): Promise<Lease> {
  const lease = await store.record.claim(name, { kind, agent: 'claude', sessionId: SESSION });
  const rows = lines.map((line) => ({
    at: LONG_AGO,
    source: 'stdout' as const,
    bytes: Buffer.from(`${JSON.stringify(line)}\n`),
  }));
  await store.record.append(name, lease.stream.nextSeq, rows);
  await store.history.catchUp();
  return lease;
}

interface Scene extends Bench {
  read(name: string): string | undefined;
}

/** A session of two prompts that is over, in a project with a.txt and new.txt. */
async function createScene(): Promise<Scene> {
  const bench = await createBench();
  const { work, folder } = bench;
  for (const name of ['a.txt', 'new.txt']) writeFileSync(join(work, name), 'now\n');
  const layout = agents.find(({ name }) => name === 'claude')?.transcripts;
  const file = join(folder, '.claude', layout?.fileOf(SESSION, work) ?? '');
  mkdirSync(dirname(file), { recursive: true });
  const kept = [
    { type: 'user', uuid: FIRST, parentUuid: null, message: { role: 'user', content: 'First' } },
    { type: 'assistant', uuid: ANSWER, parentUuid: FIRST, message: { role: 'assistant', content: [] } },
    { type: 'user', uuid: SECOND, parentUuid: ANSWER, message: { role: 'user', content: 'Second' } },
  ];
  writeFileSync(file, kept.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const init = { type: 'system', subtype: 'init', session_id: SESSION, cwd: work, model: 'claude-x', tools: [] };
  await (await claim(bench, 'run', [init, user(FIRST, 'First'), user(SECOND, 'Second')])).release();
  bench.script([REWINDS]);
  return {
    ...bench,
    read: (name) => (existsSync(join(work, name)) ? readFileSync(join(work, name), 'utf8') : undefined),
  };
}

test('where a copy goes on from is told without the agent, and nothing is touched', async () => {
  const { rewinds, read, script } = await createScene();
  // An agent that is started would fail.
  script([['exit', 3]]);
  expect(await rewinds.before(person, wanted)).toEqual({ resume: SESSION, resumeAt: ANSWER, fork: true });
  expect(await rewinds.before(person, { ...wanted, checkpoint: FIRST })).toEqual({});
  expect(await codeOf(rewinds.before(person, { ...wanted, checkpoint: ANSWER.replace('3', '9') }))).toBe('not-found');
  expect(await codeOf(rewinds.before(program('read', 'answer'), wanted))).toBe('refused');
  expect(read('a.txt')).toBe('now\n');
});

test('it is shown first, and touches nothing; then it is done as it was shown, and written down', async () => {
  const { rewinds, read, entries, work } = await createScene();
  const preview = await rewinds.preview(person, wanted);
  expect(rewindPreviewReply.parse(preview)).toEqual(JSON.parse(JSON.stringify(preview)));
  expect(preview).toMatchObject({
    sessionId: SESSION,
    checkpoint: SECOND,
    cwd: work,
    prompt: 'Second',
    files: [{ path: join(work, 'a.txt') }, { path: join(work, 'new.txt') }],
    next: { resume: SESSION, resumeAt: ANSWER, fork: true },
  });
  expect([read('a.txt'), read('new.txt')]).toEqual(['now\n', 'now\n']);
  const rewound = await rewinds.rewind(person, { ...wanted, digest: preview.digest });
  expect(rewindReply.parse(rewound)).toEqual(JSON.parse(JSON.stringify(rewound)));
  expect(rewound.failed).toEqual([]);
  expect([read('a.txt'), read('new.txt')]).toEqual(['then\n', undefined]);
  expect(entries).toEqual([
    { action: 'preview-rewind', detail: `${SESSION} ${SECOND}`, caller: 'a person', result: 'done' },
    { action: 'rewind', detail: `${SESSION} ${SECOND}`, caller: 'a person', result: 'done' },
  ]);
});

test('what was not shown is not done: nothing, something else, or what has changed since', async () => {
  const { rewinds, read, work, entries } = await createScene();
  expect(await codeOf(rewinds.rewind(person, { ...wanted, digest: 'never seen' }))).toBe('conflict');
  const { digest } = await rewinds.preview(person, wanted);
  writeFileSync(join(work, 'a.txt'), 'then\n');
  expect(await codeOf(rewinds.rewind(person, { ...wanted, digest }))).toBe('conflict');
  expect(read('new.txt')).toBe('now\n');
  expect(entries.filter(({ action }) => action === 'rewind').map(({ result }) => result)).toEqual([
    'conflict',
    'conflict',
  ]);
});

test('a program looks with the right to run, and goes back with that and the one to answer', async () => {
  const { rewinds, read, entries } = await createScene();
  expect(await codeOf(rewinds.preview(program('read', 'answer'), wanted))).toBe('refused');
  const { digest } = await rewinds.preview(program('run'), wanted);
  for (const caller of [program('read'), program('run'), program('answer')])
    expect(await codeOf(rewinds.rewind(caller, { ...wanted, digest }))).toBe('refused');
  expect(read('a.txt')).toBe('now\n');
  expect(entries.filter(({ result }) => result === 'refused')).toHaveLength(4);
  await rewinds.rewind(program('run', 'answer'), { ...wanted, digest });
  expect(read('a.txt')).toBe('then\n');
});

test('a session that goes on in a run is not taken back, nor gone on with while it is', async () => {
  const { rewinds, runs, project, script, folder, read } = await createScene();
  const { digest } = await rewinds.preview(person, wanted);
  script([['init'], ['reply-to-prompts'], ['exit', 0]]);
  const { runId } = await runs.start(person, { project, prompt: 'Go on', resume: SESSION, isConversation: true });
  expect(await codeOf(rewinds.preview(person, wanted))).toBe('conflict');
  expect(await codeOf(rewinds.rewind(person, { ...wanted, digest }))).toBe('conflict');
  await runs.stop(person, { runId });
  await over(runs, runId);
  expect(read('a.txt')).toBe('now\n');
  const go = join(folder, 'go');
  script([['await-file', go], REWINDS]);
  const looking = rewinds.preview(person, wanted);
  expect(await codeOf(runs.start(person, { project, prompt: 'Go on', resume: SESSION }))).toBe('conflict');
  expect(await codeOf(rewinds.preview(person, wanted))).toBe('conflict');
  writeFileSync(go, '');
  await looking;
  script([['init'], ['prompt'], ['result'], ['exit', 0]]);
  await runs.start(person, { project, prompt: 'Go on', resume: SESSION });
});

test('a session that somebody else writes to is not taken back', async () => {
  const scene = await createScene();
  const lease = await claim(scene, 'run', [user(ANSWER, 'Third')]);
  expect(await codeOf(scene.rewinds.preview(person, wanted))).toBe('conflict');
  await lease.release();
  await scene.rewinds.preview(person, wanted);
});

test('after a run it can be taken back at once, though its file is still being taken in', async () => {
  const scene = await createScene();
  const { runs, project, script, rewinds, store } = scene;
  script([['init'], ['reply-to-prompts'], ['exit', 0]]);
  const { runId } = await runs.start(person, { project, prompt: 'Go on', resume: SESSION, isConversation: true });
  await told(runs, () => (runs.get(runId)?.state === 'idle' ? true : undefined));
  await runs.stop(person, { runId });
  await over(runs, runId);
  script([REWINDS]);
  const name = 'transcript:claude:/somewhere/a.jsonl';
  const line = (uuid: string, time: number): object => ({
    ...user(uuid, 'Said'),
    isReplay: undefined,
    sessionId: SESSION,
    timestamp: new Date(time).toISOString(),
  });
  const lease = await claim(scene, 'transcript', [line(FIRST, LONG_AGO)], name);
  expect((await store.history.session(SESSION))?.status).toBe('running');
  // The last lines of the run are kept a moment after its end.
  await until(async () => (await scene.hostLines(runId)).some((one) => 'state' in one && one.state === 'ended'));
  await rewinds.preview(person, wanted);
  // Somebody has gone on with it elsewhere.
  const later = Buffer.from(`${JSON.stringify(line(crypto.randomUUID(), Date.now() + 1000))}\n`);
  await store.record.append(name, 2, [{ at: Date.now(), source: 'stdout', bytes: later }]);
  expect(await codeOf(rewinds.preview(person, wanted))).toBe('conflict');
  await lease.release();
  await rewinds.preview(person, wanted);
});

test('[T-15] a folder that brings code is agreed to first, by a person', async () => {
  const { rewinds, work, read } = await createScene();
  mkdirSync(join(work, '.claude'));
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'touch here' }] }] };
  writeFileSync(join(work, '.claude', 'settings.json'), JSON.stringify({ hooks }));
  const refused = await rewinds.preview(person, wanted).catch((error: unknown) => error);
  if (!(refused instanceof ProblemError)) throw new Error('it was not refused');
  expect(refused.problem).toMatchObject({ code: 'not-trusted', folder: { brought: [{ kind: 'hook' }] } });
  const trust = refused.problem.folder?.digest ?? '';
  expect(await codeOf(rewinds.preview(program('run', 'answer'), { ...wanted, trust }))).toBe('not-trusted');
  expect(await codeOf(rewinds.preview(person, { ...wanted, trust: 'another' }))).toBe('not-trusted');
  const { digest } = await rewinds.preview(person, { ...wanted, trust });
  // It is remembered.
  await rewinds.rewind(program('run', 'answer'), { ...wanted, digest });
  expect(read('a.txt')).toBe('then\n');
});

test.each([
  ['a session that is not there', { sessionId: FIRST }, 'not-found'],
  ['a prompt that the session does not have', { checkpoint: ANSWER }, 'not-found'],
  ['a prompt that the agent kept nothing of', { checkpoint: FIRST }, 'unavailable'],
  ['a prompt that could be taken for a flag', { checkpoint: '--version' }, 'bad-request'],
])('%s is refused', async (_name, other, code) => {
  const { rewinds } = await createScene();
  expect(await codeOf(rewinds.preview(person, { ...wanted, ...other }))).toBe(code);
});
