// Runs of a server: started in a project, spoken to, answered, stopped, kept, by those who may.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, MAX_DEPTH } from '@tailrace/core';
import { runInfo } from '@tailrace/protocol';
import { StoreError } from '@tailrace/store';
import { expect, test } from 'vitest';
import { INTERRUPT_MS, MAX_RUNS } from '../../src/control/limits.ts';
import { ProblemError } from '../../src/problem-error.ts';
import { codeOf, createBench, over, person, program, SESSION, type Step, told, until } from './runs-of-fake.ts';

const CHAT: readonly Step[] = [['init'], ['reply-to-prompts'], ['exit', 0]];
const ANSWER: readonly Step[] = [['init'], ['prompt'], ['text', 'Hello.'], ['result', 'Hello.'], ['exit', 0]];
const ASK: readonly Step[] = [
  ['init'],
  ['prompt'],
  ['call', 't1', 'Bash', { command: 'ls' }],
  ['ask', 't1', 'Bash', { command: 'ls' }],
  ['result'],
  ['until-stdin-ends'],
  ['exit', 0],
];

test('a run is started in a project, is listed while it goes on, and is kept to its last line', async () => {
  let kept = 0;
  const bench = await createBench({ onKept: () => void kept++ });
  const { runs, project, store, entries } = bench;
  bench.script(CHAT);
  const wanted = { project, prompt: 'Hi', isConversation: true, workOrderId: 'order-1' };
  const { runId } = await runs.start(person, wanted);
  await told(runs, () => runs.get(runId)?.sessionId ?? undefined);
  await told(runs, () => (runs.get(runId)?.state === 'idle' ? true : undefined));
  const [info] = runs.list();
  expect(info).toMatchObject({
    runId,
    workOrderId: 'order-1',
    agent: 'claude',
    projectId: project,
    sessionId: SESSION,
  });
  expect(runInfo.parse(info)).toEqual(info);
  expect(await runs.send(person, { runId, text: 'More' })).toEqual({ runId, sessionId: SESSION });
  await told(runs, () => (runs.get(runId)?.state === 'idle' ? true : undefined));
  await runs.stop(person, { runId });
  await over(runs, runId);
  await runs.close();
  expect(runs.list()).toEqual([]);
  const lines = await bench.hostLines(runId);
  expect(lines[0]).toMatchObject({ type: 'run-started', runId, workOrderId: 'order-1', prompt: 'Hi' });
  expect(lines.at(-1)).toMatchObject({ type: 'state-changed', state: 'ended' });
  expect(kept).toBeGreaterThan(2);
  await store.history.catchUp();
  expect(await store.history.session(SESSION)).toMatchObject({ agent: 'claude', cwd: bench.work });
  expect((await store.history.session(SESSION))?.status).not.toBe('running');
  expect((await store.metadata.get(SESSION))?.totalOutputTokens).toBeGreaterThan(0);
  expect(entries.map(({ action, result, caller }) => `${action} ${result} ${caller}`)).toEqual([
    'start done a person',
    'send done a person',
    'stop done a person',
  ]);
});

test('the list says what it gives only when it gives something else', async () => {
  const { runs, project, script } = await createBench();
  script(ASK);
  const seen: string[] = [];
  runs.onChange((runId) => seen.push(JSON.stringify(runs.get(runId) ?? null)));
  const { runId } = await runs.start(person, { project, prompt: 'Hi' });
  const { request, digest } = await told(runs, () => runs.get(runId)?.requests[0]);
  await runs.answer(person, { runId, requestId: request.requestId, digest, answer: { decision: 'allow' } });
  expect(runs.get(runId)?.requests).toEqual([]);
  await over(runs, runId);
  for (const [index, one] of seen.entries()) expect(one).not.toBe(seen[index - 1]);
  expect(seen.at(-1)).toBe('null');
});

test('an answer is that of whoever may, and is in the record', async () => {
  const bench = await createBench();
  const { runs, project } = bench;
  bench.script(ASK);
  const { runId } = await runs.start(program('run'), { project, prompt: 'Hi' });
  const { request, digest } = await bench.asked(runId);
  expect(request).toMatchObject({ type: 'permission-request', input: { command: 'ls' } });
  expect(runs.get(runId)).toMatchObject({ progress: { phase: 'waiting for your permission' }, subagents: 0 });
  const wanted = { runId, requestId: request.requestId, digest, answer: { decision: 'allow' } } as const;
  expect(await codeOf(runs.answer(program('read', 'run'), wanted))).toBe('refused');
  expect(await codeOf(runs.answer(person, { ...wanted, answer: { decision: 'answer', content: 'yes' } }))).toBe(
    'bad-request',
  );
  expect(await codeOf(runs.answer(person, { ...wanted, digest: 'another' }))).toBe('conflict');
  expect(await codeOf(runs.answer(person, { ...wanted, requestId: 'another' }))).toBe('not-found');
  expect(bench.runs.get(runId)?.requests).toHaveLength(1);
  expect(await codeOf(runs.answer(program('answer'), wanted))).toBe('done');
  expect(await codeOf(runs.answer(person, wanted))).toBe('answered');
  await over(runs, runId);
  expect(await codeOf(runs.answer(person, wanted))).toBe('conflict');
  await runs.close();
  const answers = (await bench.hostLines(runId)).filter(({ type }) => type === 'answered');
  expect(answers).toEqual([{ type: 'answered', requestId: request.requestId, by: 'user' }]);
  expect(bench.entries.filter(({ action }) => action === 'answer').map(({ result }) => result)).toEqual([
    'refused',
    'bad-request',
    'conflict',
    'not-found',
    'done',
    'answered',
    'conflict',
  ]);
});

test('[T-21] an answer that is none uses no request up: a good one still counts', async () => {
  const bench = await createBench();
  const { runs, project } = bench;
  bench.script(ASK);
  const { runId } = await runs.start(person, { project, prompt: 'Hi' });
  const { request, digest } = await bench.asked(runId);
  const give = (answer: Answer) => codeOf(runs.answer(person, { runId, requestId: request.requestId, digest, answer }));
  // As deep as a body may be, which is too deep for the line around it.
  let deep = {};
  for (let level = 1; level < MAX_DEPTH - 2; level++) deep = { a: deep };
  expect(await give({ decision: 'answer', content: { a: 'b' } })).toBe('bad-request');
  expect(await give({ decision: 'allow', input: 'ls' })).toBe('bad-request');
  expect(await give({ decision: 'allow', input: { n: 1n } })).toBe('bad-request');
  expect(await give({ decision: 'allow', input: deep })).toBe('bad-request');
  expect(runs.get(runId)?.requests).toHaveLength(1);
  expect(await give({ decision: 'deny' })).toBe('done');
  await over(runs, runId);
  await runs.close();
  const answers = (await bench.hostLines(runId)).filter(({ type }) => type === 'answered');
  expect(answers).toHaveLength(1);
});

test('[T-21] a request that the agent takes back waits for nobody, and an answer comes too late', async () => {
  const bench = await createBench();
  const { runs, project } = bench;
  const cancel = { type: 'control_cancel_request', request_id: 'ask-t1' };
  const ask = {
    type: 'control_request',
    request_id: 'ask-t1',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 't1' },
  };
  const line = (message: object): Step => ['raw', `${JSON.stringify(message)}\n`];
  bench.script([['init'], ['prompt'], line(ask), ['await-file', join(bench.folder, 'go')], line(cancel), ['hang']]);
  const { runId } = await runs.start(person, { project, prompt: 'Hi' });
  const { request, digest } = await bench.asked(runId);
  writeFileSync(join(bench.folder, 'go'), '');
  await told(runs, () => (runs.get(runId)?.requests.length === 0 ? true : undefined));
  const wanted = { runId, requestId: request.requestId, digest, answer: { decision: 'allow' } } as const;
  expect(await codeOf(runs.answer(person, wanted))).toBe('answered');
});

test('what is asked is shown when its line is kept, and not before', async () => {
  const real = await createBench();
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isAsked = false;
  const append: typeof real.store.record.append = async (stream, firstSeq, lines) => {
    const isRequest = lines.some(({ bytes }) => Buffer.from(bytes).includes('can_use_tool'));
    if (isRequest) {
      isAsked = true;
      await held;
    }
    return real.store.record.append(stream, firstSeq, lines);
  };
  const store = { ...real.store, record: { ...real.store.record, append } };
  const { runs } = await createBench({ store, projects: real.projects, env: real.env });
  real.script(ASK);
  const { runId } = await runs.start(person, { project: real.project, prompt: 'Hi' });
  await until(() => isAsked && runs.get(runId)?.state === 'waiting');
  expect(runs.get(runId)?.requests).toEqual([]);
  goOn();
  expect(await told(runs, () => runs.get(runId)?.requests[0])).toMatchObject({ request: { toolName: 'Bash' } });
});

test('to interrupt is told to the agent, and what it does not confirm is not waited for', async () => {
  const clock = new PushedClock();
  const bench = await createBench({ clock });
  const { runs, project } = bench;
  bench.script(CHAT);
  const { runId } = await runs.start(person, { project, prompt: 'Hi', isConversation: true });
  await told(runs, () => (runs.get(runId)?.state === 'idle' ? true : undefined));
  expect(await codeOf(runs.interrupt(person, { runId }))).toBe('done');
  bench.script([['init'], ['hang']]);
  const deaf = await runs.start(person, { project, prompt: 'Hi', isConversation: true });
  await told(runs, () => runs.get(deaf.runId)?.sessionId ?? undefined);
  const interrupted = codeOf(runs.interrupt(person, { runId: deaf.runId }));
  clock.push(INTERRUPT_MS);
  expect(await interrupted).toBe('done');
});

test('what is not ours is not found, and what has ended cannot be spoken to', async () => {
  const { runs, project, script } = await createBench();
  script(ANSWER);
  const { runId } = await runs.start(person, { project, prompt: 'Hi' });
  await over(runs, runId);
  for (const [id, code] of [
    [runId, 'conflict'],
    ['another', 'not-found'],
    [SESSION, 'not-found'],
  ] as const) {
    expect(await codeOf(runs.send(person, { runId: id, text: 'x' }))).toBe(code);
    expect(await codeOf(runs.interrupt(person, { runId: id }))).toBe(code);
    expect(await codeOf(runs.stop(person, { runId: id }))).toBe(code);
  }
});

test('every wish needs its right, and to allow ahead is to answer', async () => {
  const bench = await createBench();
  const { runs, project } = bench;
  bench.script(ASK);
  for (const caller of [program(), program('read', 'answer')])
    expect(await codeOf(runs.start(caller, { project, prompt: 'Hi' }))).toBe('refused');
  for (const ahead of [{ allow: ['Bash'] }, { permissionMode: 'bypassPermissions' }])
    expect(await codeOf(runs.start(program('run'), { project, prompt: 'Hi', ...ahead }))).toBe('refused');
  const { runId } = await runs.start(person, { project, prompt: 'Hi', allow: ['Bash(ls:*)'] });
  for (const caller of [program(), program('read', 'answer')]) {
    expect(await codeOf(runs.send(caller, { runId, text: 'x' }))).toBe('refused');
    expect(await codeOf(runs.interrupt(caller, { runId }))).toBe('refused');
    expect(await codeOf(runs.stop(caller, { runId }))).toBe('refused');
  }
  expect(runs.list()).toHaveLength(1);
  expect(bench.entries.filter(({ result }) => result === 'refused')).toHaveLength(10);
});

test('an id is taken once, also by two at a time and by a run of long ago', async () => {
  const bench = await createBench();
  const { runs, project, store } = bench;
  bench.script(ANSWER);
  const runId = '0b4a7f1e-1111-4222-8333-444455556666';
  const start = (): Promise<string> => codeOf(runs.start(person, { project, prompt: 'Hi', runId }));
  expect((await Promise.all([start(), start(), start()])).sort()).toEqual(['conflict', 'conflict', 'done']);
  await over(runs, runId);
  expect(await start()).toBe('conflict');
  const old = '0b4a7f1e-1111-4222-8333-444455557777';
  await (await store.record.claim(`run:${old}`, { kind: 'run' })).release();
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi', runId: old }))).toBe('conflict');
  bench.env['TAILRACE_OUTER_RUNS'] = 'a:b';
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi', runId: 'b' }))).toBe('conflict');
});

test('[T-15] a folder that brings code is asked about, a person says yes to what they saw, and it is remembered', async () => {
  const bench = await createBench();
  const { runs, project, work } = bench;
  bench.script(ANSWER);
  mkdirSync(join(work, '.claude'));
  const bring = (command: string): void =>
    writeFileSync(
      join(work, '.claude/settings.json'),
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } }),
    );
  bring('touch one');
  const look = async (): Promise<NonNullable<ProblemError['problem']['folder']>> => {
    const error: unknown = await runs.start(person, { project, prompt: 'Hi' }).catch((thrown: unknown) => thrown);
    if (!(error instanceof ProblemError) || !error.problem.folder) throw new Error(`not asked: ${error}`);
    expect(error.problem.code).toBe('not-trusted');
    return error.problem.folder;
  };
  const first = await look();
  expect(first.brought).toMatchObject([{ file: join(work, '.claude/settings.json') }]);
  expect(JSON.stringify(first.brought)).toContain('touch one');
  const start = (caller = person, trust?: string): Promise<string> =>
    codeOf(runs.start(caller, { project, prompt: 'Hi', trust }));
  expect(await start(program('run', 'answer'), first.digest)).toBe('not-trusted');
  expect(await start(person, 'another')).toBe('not-trusted');
  bring('touch two');
  expect(await start(person, first.digest)).toBe('not-trusted');
  expect(bench.runs.list()).toEqual([]);
  expect(await start(person, (await look()).digest)).toBe('done');
  expect(await start(program('run'))).toBe('done');
  bring('touch three');
  expect(await start(program('run'))).toBe('not-trusted');
});

test('[T-01] the agent gets nothing of ours: not in its environment, its arguments or its folder', async () => {
  const bench = await createBench();
  const { runs, project, folder } = bench;
  Object.assign(bench.env, {
    TAILRACE_HOME: join(folder, 'data'),
    TAILRACE_SECRET: 'the secret of the server',
    NODE_CHANNEL_FD: '3',
    SIGN_IN: 'kept',
  });
  bench.script(ANSWER);
  const { runId } = await runs.start(person, {
    project,
    prompt: 'the prompt',
    workOrderId: 'the order',
    resume: undefined,
  });
  await over(runs, runId);
  const { argv, env, cwd } = bench.told();
  expect(cwd).toBe(bench.work);
  const ours = Object.keys(env).filter((name) => name.startsWith('TAILRACE') || name.startsWith('NODE_'));
  expect(ours).toEqual(['TAILRACE_RUN_ID']);
  expect(env).toMatchObject({ TAILRACE_RUN_ID: runId, SIGN_IN: 'kept' });
  const all = JSON.stringify([argv, env]);
  for (const secret of ['the secret', 'the prompt', 'the order', person.id]) expect(all).not.toContain(secret);
  // The one mention of the data folder is the rule that keeps the agent's tools out of it.
  expect(JSON.stringify(env)).not.toContain(join(folder, 'data'));
  expect(argv.filter((word) => word.includes(join(folder, 'data'))).length).toBeGreaterThan(0);
  expect(argv.join('\n')).toMatch(/deny/i);
});

test('no run is started in the data folder', async () => {
  const bench = await createBench();
  const { runs, store, folder } = bench;
  await store.record.claim('run:x', { kind: 'run', agent: 'claude' });
  const line = { type: 'run-started', runId: 'x', agent: 'claude', cwd: join(folder, 'data') };
  await store.record.append('run:x', 1, [{ at: 1, source: 'host', bytes: Buffer.from(`${JSON.stringify(line)}\n`) }]);
  await store.history.catchUp();
  const project = bench.projects.idOf(join(folder, 'data'));
  expect((await bench.projects.list()).map(({ id }) => id)).toContain(project);
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi' }))).toBe('refused');
});

test('a session is gone on with by its own agent, in its own project, in one run at a time', async () => {
  const bench = await createBench();
  const { runs, project, projects, folder } = bench;
  bench.script(CHAT);
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi', resume: SESSION }))).toBe('not-found');
  const { runId } = await runs.start(person, { project, prompt: 'Hi', isConversation: true });
  await told(runs, () => runs.get(runId)?.sessionId ?? undefined);
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi', resume: SESSION }))).toBe('conflict');
  await runs.stop(person, { runId });
  await over(runs, runId);
  mkdirSync(join(folder, 'root/other'));
  await until(async () => (await projects.list()).some(({ name }) => name === 'other'));
  const other = projects.idOf(join(folder, 'root/other'));
  expect(await codeOf(runs.start(person, { project: other, prompt: 'Hi', resume: SESSION }))).toBe('refused');
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi', resume: SESSION, agent: 'codex' }))).toBe(
    'bad-request',
  );
  const again = (): Promise<string> => codeOf(runs.start(person, { project, prompt: 'Hi', resume: SESSION }));
  expect((await Promise.all([again(), again()])).sort()).toEqual(['conflict', 'done']);
  await until(() => bench.told().argv.includes(`--resume=${SESSION}`));
});

test('a session is gone on with from an earlier message, and in a session of its own, which leaves it free', async () => {
  const bench = await createBench();
  const { runs, project, env } = bench;
  bench.script(ANSWER);
  const first = await runs.start(person, { project, prompt: 'Hi' });
  await over(runs, first.runId);
  bench.script(CHAT);
  const other = '99999999-2222-4333-8444-555555555555';
  env['FAKE_SESSION'] = other;
  const wanted = { project, prompt: 'Again', resume: SESSION, resumeAt: 'a-message', fork: true } as const;
  const { runId } = await runs.start(person, { ...wanted, isConversation: true });
  await told(runs, () => (runs.get(runId)?.sessionId === other ? true : undefined));
  expect(bench.told().argv).toEqual(
    expect.arrayContaining([`--resume=${SESSION}`, '--resume-session-at=a-message', '--fork-session']),
  );
  delete env['FAKE_SESSION'];
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi', resume: other }))).toBe('conflict');
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi', resume: SESSION }))).toBe('done');
});

test.each([
  ['a fork of nothing', { fork: true }, 'bad-request'],
  ['a message of no session', { resumeAt: 'a-message' }, 'bad-request'],
  ['an agent that is none', { agent: 'nobody' }, 'bad-request'],
  ['a project that is none', { project: 'nothing' }, 'not-found'],
  ['a path that leads out', { path: '../..' }, 'bad-request'],
  ['a model that looks like a flag', { model: '--settings=x' }, 'bad-request'],
  ['an id with a slash', { runId: '../x' }, 'bad-request'],
  ['half of a character', { model: '\ud800' }, 'bad-request'],
])('%s is told, and nothing is started', async (_name, wrong, code) => {
  const { runs, project, store } = await createBench();
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi', ...wrong }))).toBe(code);
  expect([runs.list(), await store.record.streams()]).toEqual([[], []]);
});

test('a program that is not there is told', async () => {
  const { runs, project } = await createBench({ programs: () => '/nowhere/claude' });
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi' }))).toBe('unavailable');
});

test('where the disk fails the run goes on, and it is told', async () => {
  const bench = await createBench();
  const broken = {
    ...bench.store,
    record: {
      ...bench.store.record,
      append: () => Promise.reject(new StoreError('full', 'The disk is full.')),
    },
  };
  const warnings: string[] = [];
  const { runs, entries, project } = await createBench({
    store: broken,
    projects: bench.projects,
    warn: (_runId, message) => warnings.push(message),
    env: bench.env,
  }).then((one) => ({ ...one, project: bench.project }));
  bench.script(ASK);
  const { runId } = await runs.start(person, { project, prompt: 'Hi' });
  const { request, digest } = await told(runs, () => runs.get(runId)?.requests[0]);
  await runs.answer(person, { runId, requestId: request.requestId, digest, answer: { decision: 'allow' } });
  await over(runs, runId);
  await runs.close();
  expect(warnings[0]).toContain('The disk is full.');
  expect(warnings.at(-1)).toMatch(/\d+ lines of this run are not kept/);
  expect(entries.filter(({ action }) => action === 'keep')[0]).toMatchObject({ runId, result: 'failed' });
});

test('the end of the server stops what goes on and what was being started, and starts nothing more', async () => {
  const bench = await createBench();
  const { runs, project } = bench;
  bench.script([['init'], ['deaf'], ['hang']]);
  const { runId } = await runs.start(person, { project, prompt: 'Hi' });
  await told(runs, () => runs.get(runId)?.sessionId ?? undefined);
  const late = runs.start(person, { project, prompt: 'Hi' });
  await runs.close();
  const second = (await late).runId;
  expect(runs.list()).toEqual([]);
  for (const id of [runId, second])
    expect((await bench.hostLines(id)).at(-1)).toMatchObject({ type: 'state-changed', state: 'ended' });
  expect(await codeOf(runs.start(person, { project, prompt: 'Hi' }))).toBe('unavailable');
});

test('a listener that fails harms nothing', async () => {
  const { runs, project, script, warnings } = await createBench();
  script(ANSWER);
  runs.onChange(() => {
    throw new Error('no');
  });
  const { runId } = await runs.start(person, { project, prompt: 'Hi' });
  await over(runs, runId);
  expect(warnings[0]).toContain('no');
});

test(`no more than ${MAX_RUNS} runs at once`, async () => {
  const { runs, project } = await createBench({ programs: () => '/nowhere/claude' });
  const start = (): Promise<string> => codeOf(runs.start(person, { project, prompt: 'Hi' }));
  const codes = await Promise.all(Array.from({ length: MAX_RUNS + 1 }, start));
  expect(codes.filter((code) => code === 'too-many')).toHaveLength(1);
  expect(codes.at(-1)).toBe('too-many');
  expect(await start()).toBe('unavailable');
});

/** The machine's time, which can be pushed on for those who wait so long. */
class PushedClock {
  private readonly waiting = new Map<object, { readonly milliseconds: number; readonly act: () => void }>();

  now = (): number => Date.now();

  after = (milliseconds: number, act: () => void): (() => void) => {
    const key = {};
    const timer = setTimeout(act, milliseconds);
    const cancel = (): void => {
      clearTimeout(timer);
      this.waiting.delete(key);
    };
    const actNow = (): void => {
      cancel();
      act();
    };
    this.waiting.set(key, { milliseconds, act: actNow });
    return cancel;
  };

  push(milliseconds: number): void {
    for (const one of [...this.waiting.values()]) if (one.milliseconds === milliseconds) one.act();
  }
}
