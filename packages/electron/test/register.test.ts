// Runs of an app's pages: real processes, told to every window over a pair of sides that clone what they send.

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Agent, type Answer, agents } from '@tailrace/core';
import { type StreamEnd, streamMessages } from '@tailrace/protocol';
import { type Clock, systemClock } from '@tailrace/runner';
import { openStore } from '@tailrace/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Launch,
  MAX_CHECKPOINTS,
  type MetadataStore,
  type RunTotals,
  registerTailrace,
} from '../src/main/index.ts';
import { INTERRUPT_WAIT } from '../src/main/register.ts';
import { capture } from './captures.ts';
import { FakeMain, FakeWindow, PAGE } from './fake-electron.ts';
import { claude, createPlace, type Place, SESSION, type Step, temporaryFolder, until } from './place.ts';

const ANSWERS: readonly Step[] = [
  ['init'],
  ['prompt'],
  ['text', 'Hello '],
  ['call', 'c1', 'Bash', { command: 'ls' }],
  ['done', 'c1', 'a.txt'],
  ['text', 'you'],
  ['result'],
];

const endOf = ({ window }: Place): Promise<StreamEnd> => until(() => window.on('stream:end')[0]);

test('[G-03] [G-06] [G-07] [G-11] a run is told to every open window, from its session to its end', async () => {
  const place = createPlace(ANSWERS);
  const { window, windows, main } = place;
  const second = new FakeWindow(main);
  windows.push(second);
  const { runId } = await window.bridge.start({ prompt: 'Do it' });
  expect(await endOf(place)).toEqual({
    sessionId: SESSION,
    runId,
    success: true,
    totalTokens: { input: 30, output: 3 },
    costUsd: 0.001,
  });
  const own = { sessionId: SESSION, runId };
  for (const one of windows) {
    expect(one.on('stream:init')).toEqual([{ ...own, tools: ['Bash', 'Read', 'Write'] }]);
    expect(one.on('stream:chunk')).toEqual([
      { ...own, type: 'text', content: 'Hello ' },
      { ...own, type: 'text', content: 'you' },
    ]);
    expect(one.on('stream:tool')).toEqual([
      { ...own, type: 'tool_use', toolUse: { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } } },
      {
        ...own,
        type: 'tool_result',
        toolResult: { type: 'tool_result', tool_use_id: 'c1', content: 'a.txt', is_error: false },
      },
    ]);
  }
  expect(second.messages).toEqual(window.messages);
});

test('[G-12] all that is told fits its schemas, from the first message on, under a UUID', async () => {
  const place = createPlace([...ANSWERS, ['raw', 'not json\n']]);
  await place.window.bridge.start({ prompt: 'Do it' });
  await endOf(place);
  const { messages } = place.window;
  for (const [channel, message] of messages) expect(streamMessages[channel].parse(message)).toEqual(message);
  const sessions = messages.map(([, { sessionId }]) => sessionId);
  expect(new Set(sessions).size).toBe(2);
  expect(sessions.indexOf(SESSION)).toBeGreaterThan(0);
  expect(new Set(sessions.slice(sessions.indexOf(SESSION)))).toEqual(new Set([SESSION]));
});

/** Of a session that its agent calls by no UUID: the same in each start of the app. */
const MADE = /^7461696c-7263-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('[G-12] a session that is no UUID is told by one that is made of it, always the same', async () => {
  const told = new Set<string>();
  for (const FAKE_SESSION of ['ses_7', 'ses_7', 'ses_8']) {
    const place = createPlace(ANSWERS, {}, { env: { FAKE_SESSION } });
    await place.window.bridge.start({ prompt: 'Do it' });
    const { sessionId, success } = await endOf(place);
    expect(success).toBe(true);
    expect(sessionId).toMatch(MADE);
    expect(place.window.on('stream:init')).toMatchObject([{ sessionId }]);
    told.add(sessionId);
  }
  expect(told.size).toBe(2);
});

test('[G-12] such a session from before the app was started is refused: its agent knows it by another id', async () => {
  const told = join(temporaryFolder(), 'told.json');
  const place = createPlace(ANSWERS, {}, { env: { FAKE_SESSION: 'ses_7', FAKE_TOLD: told } });
  await place.window.bridge.start({ prompt: 'Do it' });
  const { sessionId } = await endOf(place);
  const later = createPlace(ANSWERS, {}, { env: { FAKE_TOLD: `${told}-later` } });
  for (const more of [{}, { fork: true }])
    await expect(later.window.bridge.start({ prompt: 'More', resume: sessionId, ...more })).rejects.toThrow(
      `session ${sessionId} is from before the app was started`,
    );
  expect(existsSync(`${told}-later`)).toBe(false);
  expect(await later.window.bridge.checkpoints({ sessionId })).toEqual([]);
  await expect(later.window.bridge.previewRewind({ sessionId, checkpoint: 'p1' })).rejects.toThrow(
    'was run since the app was started',
  );
});

test('[G-12] it is gone on with, answered and added up under that id, and the agent gets its own', async () => {
  const told = join(temporaryFolder(), 'told.json');
  const added: string[] = [];
  const metadata: MetadataStore = {
    create: async () => {},
    add: async ({ sessionId }) => {
      added.push(sessionId);
      return 'added';
    },
  };
  const place = createPlace(ANSWERS, { metadata }, { env: { FAKE_SESSION: 'ses_7', FAKE_TOLD: told } });
  const { bridge } = place.window;
  await bridge.start({ prompt: 'One' });
  const { sessionId } = await endOf(place);
  place.script([['init'], ['demands'], ['prompt'], ['result'], ['hang']]);
  const { runId } = await bridge.start({ prompt: 'Two', resume: sessionId });
  const turnEnds = () => place.window.on('stream:event').filter(({ event }) => event.type === 'turn-end');
  await until(() => turnEnds().length === 2);
  const words = JSON.parse(readFileSync(told, 'utf8')).argv.join(' ');
  expect(words).toContain('ses_7');
  expect(words).not.toContain(sessionId);
  expect(place.window.on('stream:init')).toMatchObject([{ sessionId }, { sessionId, runId }]);
  expect(await bridge.runs()).toMatchObject([{ sessionId, runId }]);
  expect(await bridge.checkpoints({ sessionId })).toMatchObject([{ sessionId, text: 'One' }, { text: 'Two' }]);
  await expect(bridge.start({ prompt: 'Three', resume: sessionId })).rejects.toThrow('is at work');
  await bridge.stop({ id: sessionId });
  expect(place.tailrace.registry.runs).toEqual([]);
  await until(() => place.window.on('stream:end')[1]);
  expect(added).toEqual([sessionId, sessionId]);
});

test('[G-12] of two agents that call their sessions alike each is reached by what was told of it', async () => {
  const place: Place = createPlace(
    [['init'], ['demands'], ['prompt'], ['hang']],
    {
      launch: ({ model = 'claude' }) => ({ ...place.launch, agent: { ...claude, name: model } }),
    },
    { env: { FAKE_SESSION: 'ses_7' } },
  );
  const { bridge } = place.window;
  const one = await bridge.start({ prompt: 'One', model: 'one' });
  const two = await bridge.start({ prompt: 'Two', model: 'two' });
  await until(() => place.window.on('stream:init').length === 2);
  const [first, second] = (await bridge.runs()).map(({ sessionId }) => sessionId);
  expect(first).not.toBe(second);
  for (const [sessionId, text] of [
    [first, 'One'],
    [second, 'Two'],
  ] as const) {
    await until(async () => (await bridge.checkpoints({ sessionId: sessionId ?? '' })).length > 0);
    expect(await bridge.checkpoints({ sessionId: sessionId ?? '' })).toMatchObject([{ sessionId, text }]);
  }
  await bridge.stop({ id: first ?? '' });
  expect(await bridge.runs()).toMatchObject([{ runId: two.runId, sessionId: second }]);
  for (const id of [one.runId, first ?? '']) await expect(bridge.stop({ id })).rejects.toThrow('the run is over');
  // Nor is the session of the one at work because the other is; one that is gone on with is reached before it has spoken.
  place.script([['demands'], ['prompt'], ['hang']]);
  const { runId } = await bridge.start({ prompt: 'More', model: 'one', resume: first });
  await bridge.stop({ id: first ?? '' });
  expect((await bridge.runs()).map((run) => run.runId)).toEqual([two.runId]);
  expect(runId).not.toBe(one.runId);
});

test('[G-10] a run is known by its own id, by its session when that is told, and no more at its exit', async () => {
  const place = createPlace([]);
  const { window, tailrace } = place;
  place.script([['await-file', place.at('go')], ['init'], ['prompt'], ['await-file', place.at('on')], ['result']]);
  const { runId } = await window.bridge.start({ prompt: 'Do it' });
  const run = tailrace.registry.get(runId);
  expect(run && tailrace.registry.keyOf(run)).toBe(runId);
  expect(await window.bridge.runs()).toMatchObject([{ runId, sessionId: runId, state: 'starting' }]);
  await expect(window.bridge.stop({ id: SESSION })).rejects.toThrow(
    `the run is over: nothing goes on under ${SESSION}`,
  );
  place.make('go');
  await until(() => window.on('stream:init')[0]);
  expect(run && tailrace.registry.keyOf(run)).toBe(SESSION);
  expect(await window.bridge.runs()).toMatchObject([{ runId, sessionId: SESSION, agent: 'claude' }]);
  place.make('on');
  await endOf(place);
  expect(await window.bridge.runs()).toEqual([]);
  expect(tailrace.registry.get(SESSION)).toBeUndefined();
});

test('[G-10] a page may name its run, and so knows it before anything is told; a name that was used is refused', async () => {
  const place = createPlace(ANSWERS);
  const { bridge, messages } = place.window;
  const runId = randomUUID();
  const [first, second] = await Promise.allSettled([
    bridge.start({ prompt: 'Do it', runId }),
    bridge.start({ prompt: 'Do it again', runId }),
  ]);
  expect(first).toMatchObject({ value: { runId } });
  expect(second).toMatchObject({
    reason: { message: `the id ${runId} was used before: a new run needs one of its own` },
  });
  await endOf(place);
  expect(new Set(messages.map(([, message]) => message.runId))).toEqual(new Set([runId]));
  for (const taken of [runId, SESSION])
    await expect(bridge.start({ prompt: 'Do it', runId: taken })).rejects.toThrow('a new run needs one of its own');
  expect(place.tailrace.registry.runs).toEqual([]);
});

test('[G-10] a run takes no id of a session: one that was told, one that is gone on with, one that just begins', async () => {
  const other = '99999999-2222-4333-8444-555555555555';
  const place = createPlace([['demands'], ['prompt'], ['hang']]);
  const { bridge } = place.window;
  const taken = 'a new run needs one of its own';
  for (const more of [{}, { fork: true }])
    await expect(bridge.start({ prompt: 'Do it', resume: other, runId: other, ...more })).rejects.toThrow(taken);
  const { runId } = await bridge.start({ prompt: 'Do it', resume: other });
  await expect(bridge.start({ prompt: 'Do it', runId: other.toUpperCase() })).rejects.toThrow(taken);
  await bridge.stop({ id: runId });
  const both = await Promise.allSettled([
    bridge.start({ prompt: 'Do it', resume: other }),
    bridge.start({ prompt: 'Do it', runId: other }),
  ]);
  expect(both).toMatchObject([{ status: 'fulfilled' }, { reason: { message: expect.stringContaining(taken) } }]);
});

test('[G-10] an id of a run stands for the session that it works in, and one that has told none is gone on with by nobody', async () => {
  const told = join(temporaryFolder(), 'told.json');
  const place = createPlace([], {}, { env: { FAKE_TOLD: told } });
  const { bridge } = place.window;
  place.script([['await-file', place.at('go')], ...ANSWERS]);
  const runId = randomUUID();
  const starting = bridge.start({ prompt: 'One', runId });
  const resume = { prompt: 'Two', resume: runId };
  const noSession = `run ${runId} has told no session to go on with`;
  await expect(bridge.start(resume)).rejects.toThrow(noSession);
  await starting;
  for (const more of [{}, { fork: true }])
    await expect(bridge.start({ ...resume, ...more })).rejects.toThrow(noSession);
  expect(place.tailrace.registry.runs).toHaveLength(1);
  expect(await bridge.checkpoints({ sessionId: runId })).toEqual([]);
  place.make('go');
  await endOf(place);
  expect(await bridge.checkpoints({ sessionId: runId })).toMatchObject([{ text: 'One' }]);
  await bridge.start(resume);
  await until(() => place.window.on('stream:end')[1]);
  const { argv } = JSON.parse(readFileSync(told, 'utf8'));
  expect(argv.join(' ')).toContain(SESSION);
  expect(argv.join(' ')).not.toContain(runId);
});

test('[G-12] the letter case of an id means nothing to pages, and an agent gets its own as it wrote it', async () => {
  const FAKE_SESSION = 'ABCDEF00-2222-4333-8444-555555555555';
  const told = join(temporaryFolder(), 'told.json');
  const steps: readonly Step[] = [['init'], ['demands'], ['prompt'], ['hang']];
  const place = createPlace(steps, {}, { env: { FAKE_SESSION, FAKE_TOLD: told } });
  const { bridge } = place.window;
  const runId = randomUUID();
  const { runId: first } = await bridge.start({ prompt: 'One', runId: runId.toUpperCase() });
  await until(() => place.window.on('stream:init')[0]);
  expect(place.window.on('stream:init')).toMatchObject([{ sessionId: FAKE_SESSION, runId: runId.toUpperCase() }]);
  const lower = FAKE_SESSION.toLowerCase();
  await expect(bridge.start({ prompt: 'Two', resume: lower })).rejects.toThrow('is at work; stop it first');
  await expect(bridge.start({ prompt: 'Two', runId })).rejects.toThrow('a new run needs one of its own');
  await until(async () => (await bridge.checkpoints({ sessionId: lower })).length === 1);
  await bridge.stop({ id: runId });
  expect(place.tailrace.registry.runs).toEqual([]);
  const both = await Promise.allSettled([
    bridge.start({ prompt: 'Two', resume: lower }),
    bridge.start({ prompt: 'Two', resume: FAKE_SESSION }),
  ]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await until(() => place.window.on('stream:init')[1]);
  const { argv } = JSON.parse(readFileSync(told, 'utf8'));
  expect(argv.join(' ')).toContain(FAKE_SESSION);
  await bridge.stop({ id: lower });
  expect(first).toBe(runId.toUpperCase());
});

test('[G-10] the id of a run reaches that run, also where another run calls its session so', async () => {
  const steps: readonly Step[] = [['init'], ['prompt'], ['ask', 'c1', 'Bash', {}], ['hang']];
  const runId = randomUUID();
  const place = createPlace(steps);
  const { bridge } = place.window;
  await bridge.start({ prompt: 'First', runId });
  await until(() => place.window.on('stream:init')[0]);
  place.script([['session', runId], ...steps]);
  const second = await bridge.start({ prompt: 'Second' });
  await until(() => place.window.on('stream:init').some(({ sessionId }) => sessionId === runId));
  await bridge.stop({ id: runId });
  expect(await bridge.runs()).toMatchObject([second]);
});

test('[G-13] a page that is loaded anew while its run is being started finds it, or that it could not be started', async () => {
  const gates: ((error?: Error) => void)[] = [];
  const place = createPlace([['init'], ['demands'], ['prompt'], ['hang']], {
    launch: () =>
      new Promise((resolve, reject) => gates.push((error) => (error ? reject(error) : resolve(place.launch)))),
  });
  const { bridge } = place.window;
  const runId = randomUUID();
  bridge.start({ prompt: 'Do it', runId }).catch(() => {});
  const found = bridge.runs();
  await until(() => gates.length === 1);
  gates[0]?.();
  expect(await found).toMatchObject([{ runId }]);
  bridge.start({ prompt: 'Do it' }).catch(() => {});
  const only = bridge.runs();
  await until(() => gates.length === 2);
  gates[1]?.(new Error('no folder was chosen'));
  expect(await only).toMatchObject([{ runId }]);
});

test.each<[string, readonly Step[], object]>([
  ['exit 0 without a result is a success', [['init'], ['exit', 0]], { success: true }],
  [
    'an error result is none, though the exit is 0',
    [['init'], ['prompt'], ['failure', 'API Error: 400'], ['exit', 0]],
    { success: false, error: expect.stringContaining('API Error: 400') },
  ],
  [
    'a success and then an exit with 1 is none, and names code and stderr',
    [['init'], ['prompt'], ['result'], ['stderr', 'the hook failed'], ['exit', 1]],
    {
      success: false,
      error: 'the agent said that it was done, and then ended with exit code 1 stderr: the hook failed',
    },
  ],
  [
    'TERM is an abort',
    [['init'], ['die', 'SIGTERM']],
    { success: false, aborted: true, error: expect.stringContaining('SIGTERM') },
  ],
  [
    'KILL is an abort',
    [['init'], ['die', 'SIGKILL']],
    { success: false, aborted: true, error: expect.stringContaining('SIGKILL') },
  ],
  ['KILL before the first word is an abort', [['die', 'SIGKILL']], { success: false, aborted: true }],
  ...['SIGABRT', 'SIGSEGV', 'SIGBUS'].map((signal): [string, readonly Step[], object] => [
    `${signal} is a crash and no abort, and is named with stderr`,
    [['init'], ['stderr', 'heap out of memory'], ['die', signal]],
    { success: false, error: expect.stringContaining(`signal ${signal} stderr: heap out of memory`) },
  ]),
  [
    'an error names code and stderr',
    [
      ['stderr', 'no such option'],
      ['exit', 2],
    ],
    { success: false, error: expect.stringMatching(/exit code 2.*no such option/) },
  ],
])('[G-11] %s', async (_name, steps, expected) => {
  const place = createPlace(steps, {}, { asks: false });
  await place.window.bridge.start({ prompt: 'Do it' });
  const end = await endOf(place);
  expect(end).toMatchObject(expected);
  if (!('aborted' in expected)) expect(end).not.toHaveProperty('aborted');
});

test('[G-11] a run that a page stops is aborted, and nothing of it is left when the call settles', async () => {
  const place = createPlace([['init'], ['demands'], ['prompt'], ['child', 'plain'], ['text', 'On it'], ['hang']]);
  const { runId } = await place.window.bridge.start({ prompt: 'Do it' });
  await until(() => place.window.on('stream:chunk')[0]);
  await place.window.bridge.stop({ id: runId });
  expect(place.tailrace.registry.runs).toEqual([]);
  expect(await endOf(place)).toMatchObject({ success: false, aborted: true });
});

test.each(['launch', 'trust', 'process'])(
  '[G-10] a run that is stopped while it is being started does not begin: %s',
  async (what) => {
    const never = new Promise<never>(() => {});
    const asked: string[] = [];
    const steps: readonly Step[] = [['init'], ['demands'], ['prompt'], ['write', 'effect.txt', 'x'], ['hang']];
    const place: Place = createPlace(steps, {
      launch() {
        asked.push('launch');
        if (what === 'launch') return never;
        if (what === 'process') return place.launch;
        return {
          ...place.launch,
          trust() {
            asked.push('trust');
            return never;
          },
        };
      },
    });
    // Something that the agent would run, so that somebody is asked.
    mkdirSync(join(place.project, '.claude'));
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] };
    writeFileSync(join(place.project, '.claude/settings.json'), JSON.stringify(what === 'trust' ? { hooks } : {}));
    const { bridge } = place.window;
    const runId = randomUUID();
    const started = bridge.start({ prompt: 'Do it', runId }).catch((error: Error) => error);
    if (what !== 'process') await until(() => asked.includes(what));
    await expect(bridge.send({ id: runId, text: 'Hi' })).rejects.toThrow('only being started');
    await bridge.stop({ id: runId.toUpperCase() });
    expect(await started).toMatchObject({ message: expect.stringContaining('stopped before it had begun') });
    expect(place.tailrace.registry.runs).toEqual([]);
    expect(place.window.messages).toEqual([]);
    expect(existsSync(join(place.project, 'effect.txt'))).toBe(false);
    await expect(bridge.stop({ id: runId })).rejects.toThrow('the run is over');
  },
);

test('a promise of the app that fails harms no run: it is told, but for one who fails at hearing it', async () => {
  const fail = async (): Promise<never> => Promise.reject(new Error('I have a bug'));
  // A rejection that nobody takes would fail this test.
  const place = createPlace(ANSWERS, { onWarning: fail }, { onEvents: fail });
  place.window.webContents.send = new Proxy(place.window.webContents.send, {
    apply(send, self, [channel, message]) {
      Reflect.apply(send, self, [channel, message]);
      if (channel === 'stream:init') throw new Error('Render frame was disposed');
    },
  });
  await place.window.bridge.start({ prompt: 'Do it' });
  expect(await endOf(place)).toMatchObject({ success: true });
  const notices = place.window.on('stream:event').flatMap(({ event }) => (event.type === 'notice' ? event.title : []));
  expect(notices).toEqual(['onEvents failed: I have a bug']);
});

test('what cannot be started is said in a sentence, and nothing is told to windows', async () => {
  const { window } = createPlace([], {}, { program: '/nowhere/claude' });
  await expect(window.bridge.start({ prompt: 'Do it' })).rejects.toThrow('/nowhere/claude');
  expect(window.messages).toEqual([]);
  const thrown = createPlace([], {
    launch: () => {
      throw new Error('choose a folder first');
    },
  });
  await expect(thrown.window.bridge.start({ prompt: 'Do it' })).rejects.toThrow('choose a folder first');
  // What an app written without types may do.
  const silent = createPlace([], { launch: () => undefined as unknown as Launch });
  await expect(silent.window.bridge.start({ prompt: 'Do it' })).rejects.toThrow('has not said which agent');
});

test('a page answers what the agent asks, once; a page that comes later finds what waits', async () => {
  const place = createPlace([['init'], ['prompt'], ['call', 'c1', 'Bash', {}], ['ask', 'c1', 'Bash', {}], ['result']]);
  const { window, windows, main } = place;
  const { runId } = await window.bridge.start({ prompt: 'Do it' });
  await until(() => window.on('stream:event').some(({ event }) => event.type === 'permission-request'));
  const later = new FakeWindow(main);
  windows.push(later);
  const [run] = await later.bridge.runs();
  const [request] = run?.requests ?? [];
  if (!request) throw new Error('something waits');
  const answer = { id: runId, requestId: request.requestId, answer: { decision: 'allow' } } as const;
  await later.bridge.answer(answer);
  await expect(window.bridge.answer(answer)).rejects.toThrow('it has one, or was taken back');
  expect(await endOf(place)).toMatchObject({ success: true });
  expect(later.on('stream:tool')).toMatchObject([{ toolResult: { content: 'ok', is_error: false } }]);
});

test('[T-21] an answer of a page that is none is refused in a sentence, and the page can answer then', async () => {
  const place = createPlace([['init'], ['prompt'], ['call', 'c1', 'Bash', {}], ['ask', 'c1', 'Bash', {}], ['result']]);
  const { window } = place;
  const { runId } = await window.bridge.start({ prompt: 'Do it' });
  await until(() => window.on('stream:event').some(({ event }) => event.type === 'permission-request'));
  const [request] = (await window.bridge.runs())[0]?.requests ?? [];
  if (!request) throw new Error('something waits');
  const give = (answer: Answer) => window.bridge.answer({ id: runId, requestId: request.requestId, answer });
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  await expect(give({ decision: 'answer', content: { a: 'b' } })).rejects.toThrow(
    '"answer" is no answer to a permission: that is allowed or denied',
  );
  for (const input of [{ n: 1n }, cyclic])
    await expect(give({ decision: 'allow', input })).rejects.toThrow('the answer cannot be written as JSON');
  await expect(give({ decision: 'allow', input: 'ls' })).rejects.toThrow(
    '"answer.input" is missing, or cannot be used',
  );
  expect((await window.bridge.runs())[0]?.requests).toHaveLength(1);
  await give({ decision: 'allow', input: { command: 'ls' } });
  expect(await endOf(place)).toMatchObject({ success: true });
  expect(window.on('stream:tool').at(-1)).toMatchObject({ toolResult: { content: 'ok', is_error: false } });
});

test('a conversation goes on by its session; a turn can be broken off', async () => {
  const place = createPlace([['reply-to-prompts']], {}, { conversation: true });
  const { window } = place;
  await window.bridge.start({ prompt: 'One' });
  const chunks = (): string[] => window.on('stream:chunk').map(({ content }) => content);
  await until(() => chunks().includes('You said: One'));
  await window.bridge.send({ id: SESSION, text: 'Two' });
  await until(() => chunks().includes('You said: Two'));
  await window.bridge.interrupt({ id: SESSION });
  expect(window.on('stream:end')).toEqual([]);
  await window.bridge.stop({ id: SESSION });
});

test('an agent that does not say that it was interrupted is not waited for, and that is said', async () => {
  const clock: Clock = {
    now: systemClock.now,
    after: (milliseconds, act) => systemClock.after(milliseconds === INTERRUPT_WAIT ? 0 : milliseconds, act),
  };
  const place = createPlace([['init'], ['prompt'], ['text', 'On it'], ['hang']], {}, { clock, waits: { kill: 4_000 } });
  const { runId } = await place.window.bridge.start({ prompt: 'Do it' });
  await until(() => place.window.on('stream:chunk')[0]);
  await expect(place.window.bridge.interrupt({ id: runId })).rejects.toThrow(
    'the agent was asked to break off, and has said nothing to it in 5 seconds; stop the run to end it',
  );
  expect(place.tailrace.registry.runs).toHaveLength(1);
});

test('nothing is said to a run that is being ended', async () => {
  const place = createPlace([['init'], ['prompt'], ['text', 'On it'], ['hang']], {}, { conversation: true });
  const { bridge } = place.window;
  const { runId } = await bridge.start({ prompt: 'Do it' });
  await until(() => place.window.on('stream:chunk')[0]);
  const stopped = bridge.stop({ id: runId });
  await expect(bridge.send({ id: runId, text: 'More' })).rejects.toThrow('the run is being ended');
  await stopped;
});

test('a session that a run works in is not gone on with by a second one, unless that forks', async () => {
  const place = createPlace([['init'], ['demands'], ['prompt'], ['hang']]);
  const { window, tailrace } = place;
  await window.bridge.start({ prompt: 'One' });
  await until(() => window.on('stream:init')[0]);
  const resume = { prompt: 'Two', resume: SESSION };
  await expect(window.bridge.start(resume)).rejects.toThrow(`session ${SESSION} is at work; stop it first`);
  expect(tailrace.registry.runs).toHaveLength(1);
  await window.bridge.start({ ...resume, fork: true });
  expect(tailrace.registry.runs).toHaveLength(2);
  await Promise.all(tailrace.registry.runs.map((run) => run.kill()));
  // A fork leaves the session that it came from to others, also before it has told its own.
  place.script([['demands'], ['prompt'], ['hang']]);
  await window.bridge.start({ ...resume, fork: true });
  await window.bridge.start(resume);
  expect(tailrace.registry.runs).toHaveLength(2);
  await Promise.all(tailrace.registry.runs.map((run) => run.kill()));
  const both = await Promise.allSettled([window.bridge.start(resume), window.bridge.start(resume)]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await Promise.all(tailrace.registry.runs.map((run) => run.kill()));
});

test('without neutral events only the four old channels are used', async () => {
  const place = createPlace(ANSWERS, { events: false });
  await place.window.bridge.start({ prompt: 'Do it' });
  await endOf(place);
  expect(new Set(place.window.messages.map(([channel]) => channel))).toEqual(
    new Set(['stream:init', 'stream:chunk', 'stream:tool', 'stream:end']),
  );
});

test('without neutral events nobody hears that they are asked, so nobody is, unless the app says otherwise', async () => {
  const asking: readonly Step[] = [['init'], ['prompt'], ['ask', 'c1', 'Bash', { command: 'ls' }], ['result']];
  const isAsked = async (more: Partial<Launch>): Promise<boolean> => {
    const told = join(temporaryFolder(), 'told.json');
    const place = createPlace(asking, { events: false }, { env: { FAKE_TOLD: told }, ...more });
    await place.window.bridge.start({ prompt: 'Do it' });
    await until(() => existsSync(told));
    await place.tailrace.close();
    return JSON.parse(readFileSync(told, 'utf8')).argv.includes('--permission-prompt-tool=stdio');
  };
  expect(await isAsked({})).toBe(false);
  expect(await isAsked({ asks: true })).toBe(true);
  expect(await isAsked({ policy: () => ({ decision: 'allow' }) })).toBe(true);
});

test('the app decides what a run is made with; the page only names what it wants', async () => {
  const told = join(temporaryFolder(), 'told.json');
  const wanted: unknown[] = [];
  const place = createPlace(ANSWERS);
  const { main, windows, launch } = place;
  await place.tailrace.close();
  const { registerTailrace } = await import('../src/main/index.ts');
  const events: string[] = [];
  const tailrace = registerTailrace(main, {
    windows: () => windows,
    pages: 'file:///opt/app/index.html',
    launch: (asked) => {
      wanted.push(asked);
      const onEvents: typeof launch.onEvents = (some) => events.push(...some.map(({ type }) => type));
      return { ...launch, model: 'fixed-1', env: { ...launch.env, FAKE_TOLD: told }, onEvents };
    },
  });
  onTestFinished(() => tailrace.close());
  const asked = { prompt: 'Do it', project: 'shop', model: 'other-2', resume: SESSION, fork: true } as const;
  await place.window.bridge.start(asked);
  await endOf(place);
  expect(wanted).toEqual([asked]);
  const { argv } = JSON.parse(readFileSync(told, 'utf8'));
  expect(argv.join(' ')).toContain('fixed-1');
  expect(argv.join(' ')).not.toContain('other-2');
  expect(argv.join(' ')).toContain(SESSION);
  expect(events).toContain('session-end');
});

test('where a channel is taken, no handler is left behind, and that one stays', async () => {
  const main = new FakeMain();
  const theirs = async (): Promise<string> => 'theirs';
  main.handle('tailrace:stop', theirs);
  const options = { windows: () => [], pages: PAGE, launch: () => ({ agent: claude }) };
  expect(() => registerTailrace(main, options)).toThrow("second handler for 'tailrace:stop'");
  expect([...main.handlers]).toEqual([['tailrace:stop', theirs]]);
  main.removeHandler('tailrace:stop');
  await registerTailrace(main, options).close();
  expect(main.handlers.size).toBe(0);
});

describe('closing', () => {
  test('takes every handler away, ends runs that go on and runs that are just being started', async () => {
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let starts = 0;
    const place: Place = createPlace([['init'], ['demands'], ['prompt'], ['hang']], {
      async launch() {
        if (++starts === 2) {
          isAsked();
          await gate;
        }
        return place.launch;
      },
    });
    const { window, main, tailrace } = place;
    await window.bridge.start({ prompt: 'One' });
    await until(() => window.on('stream:init')[0]);
    const second = window.bridge.start({ prompt: 'Two' }).catch((error: Error) => error);
    await asked;
    const closing = tailrace.close();
    expect(main.handlers.size).toBe(0);
    go();
    await closing;
    expect(await second).toMatchObject({ message: expect.stringContaining('about to end') });
    expect(tailrace.registry.runs).toEqual([]);
    expect(window.on('stream:end')).toHaveLength(1);
    await expect(window.bridge.runs()).rejects.toThrow('the app takes no calls');
  });

  test('ends a run whose process comes to be meanwhile', async () => {
    const place = createPlace([['init'], ['demands'], ['prompt'], ['hang']]);
    const started = place.window.bridge.start({ prompt: 'Do it' });
    await place.tailrace.close();
    await started.catch(() => {});
    expect(place.tailrace.registry.runs).toEqual([]);
  });
});

describe('[G-09] the row of a session', () => {
  test('is made when the session is told, and gets the totals before the end is told', async () => {
    const order: string[] = [];
    const added: RunTotals[] = [];
    const metadata: MetadataStore = {
      create: async (sessionId, model) => void order.push(`create ${sessionId} ${model}`),
      add: async (run) => {
        added.push(run);
        order.push(`add, ${place.window.on('stream:end').length} ends told`);
        return 'added';
      },
    };
    const place = createPlace(ANSWERS, { metadata });
    const { runId } = await place.window.bridge.start({ prompt: 'Do it' });
    await endOf(place);
    expect(order).toEqual([`create ${SESSION} fake-1`, 'add, 0 ends told']);
    expect(added).toEqual([
      { runId, sessionId: SESSION, inputTokens: 30, outputTokens: 3, costUsd: 0.001, model: 'fake-1' },
    ]);
  });

  test('is made once, also where the tools of the session come late', async () => {
    const made: string[] = [];
    const metadata: MetadataStore = { create: async (id) => void made.push(id), add: async () => 'added' };
    const bytes = capture('pi/0.87.1/multi-tool.ndjson').toString('latin1');
    const pi = agents.find(({ name }) => name === 'pi') as Agent;
    const place = createPlace([['raw', bytes]], { metadata }, { agent: pi });
    await place.window.bridge.start({ prompt: 'Do it' });
    const { sessionId } = await endOf(place);
    expect(place.window.on('stream:init').map(({ tools }) => tools.length)).toEqual([0, 4]);
    expect(made).toEqual([sessionId]);
  });

  test('is made at the end of a run whose agent tells no session, under its own id', async () => {
    const rows: unknown[] = [];
    const metadata: MetadataStore = {
      create: async (...words) => void rows.push(words),
      add: async ({ runId, sessionId, inputTokens }) => {
        rows.push([runId, sessionId, inputTokens]);
        return 'added';
      },
    };
    const goose = agents.find(({ name }) => name === 'goose') as Agent;
    const bytes = capture('goose/1.34.0/edits.ndjson').toString('latin1');
    const place = createPlace([['raw', bytes]], { metadata }, { agent: goose });
    const { runId } = await place.window.bridge.start({ prompt: 'Do it' });
    await endOf(place);
    expect(rows).toEqual([
      [runId, undefined],
      [runId, runId, expect.any(Number)],
    ]);
    // One that took nothing gets none.
    place.script([['exit', 1]]);
    await place.window.bridge.start({ prompt: 'Do it' });
    await until(() => place.window.on('stream:end')[1]);
    expect(rows).toHaveLength(2);
  });

  test("is that of Tailrace's own store, which fits as it is", async () => {
    const store = await openStore({ file: join(temporaryFolder(), 'tailrace.db') });
    onTestFinished(() => store.close());
    const place = createPlace(ANSWERS, { metadata: store.metadata });
    for (const turn of [1, 2]) {
      await place.window.bridge.start({ prompt: 'Do it' });
      await until(() => place.window.on('stream:end').length === turn);
    }
    expect(await store.metadata.get(SESSION)).toMatchObject({
      totalInputTokens: 60,
      totalOutputTokens: 6,
      totalCostUsd: 0.002,
      model: 'fake-1',
    });
  });

  test('that cannot be written is a warning, and the end is told all the same', async () => {
    const reject = (): Promise<never> => Promise.reject(new Error('disk full'));
    const fail = (): never => {
      throw new Error('disk full');
    };
    for (const metadata of [{ create: reject, add: reject } satisfies MetadataStore, { create: fail, add: fail }]) {
      const place = createPlace(ANSWERS, { metadata });
      await place.window.bridge.start({ prompt: 'Do it' });
      expect(await endOf(place)).toMatchObject({ success: true });
      expect(place.window.on('stream:chunk')).toHaveLength(2);
      expect(place.warnings.filter((message) => message.includes('disk full'))).toHaveLength(2);
    }
  });
});

describe('[G-04] [G-15] checkpoints', () => {
  test('are listed for each session, a hundred at the most', async () => {
    const place = createPlace([['reply-to-prompts']], {}, { conversation: true });
    const { window } = place;
    await window.bridge.start({ prompt: 'p0' });
    for (let index = 1; index < MAX_CHECKPOINTS + 3; index++) {
      await until(() => window.on('stream:chunk').length === index);
      await window.bridge.send({ id: SESSION, text: `p${index}` });
    }
    await until(() => window.on('stream:chunk').length === MAX_CHECKPOINTS + 3);
    await window.bridge.stop({ id: SESSION });
    const listed = await window.bridge.checkpoints({ sessionId: SESSION });
    expect(listed.map(({ text }) => text)).toEqual(
      Array.from({ length: MAX_CHECKPOINTS }, (_, index) => `p${index + 3}`),
    );
    expect(listed[0]).toEqual({ id: expect.any(String), sessionId: SESSION, text: 'p3', at: expect.any(Number) });
    expect(await window.bridge.checkpoints({ sessionId: randomUUID() })).toEqual([]);
    place.tailrace.registry.clearCheckpoints(SESSION);
    expect(await window.bridge.checkpoints({ sessionId: SESSION })).toEqual([]);
  });

  /** A session of one prompt that made a file, with the file in which the agent keeps it. */
  async function worked(
    more: readonly Step[] = [],
  ): Promise<{ readonly place: Place; readonly checkpoint: string; readonly file: string }> {
    const place = createPlace([]);
    place.script([
      ['init'],
      ['demands'],
      ['prompt'],
      ['call', 'c1', 'Write', { file_path: 'new.txt' }],
      ['write', 'new.txt', 'new'],
      ['wrote', 'c1', 'new.txt', 'new'],
      ['result'],
      ['await-file', place.at('on')],
      ...more,
    ]);
    await place.window.bridge.start({ prompt: 'Make a file' });
    await until(() => place.window.on('stream:event').some(({ event }) => event.type === 'turn-end'));
    const [checkpoint] = await place.window.bridge.checkpoints({ sessionId: SESSION });
    if (!checkpoint) throw new Error('a prompt is a checkpoint');
    const transcript = join(place.folder, '.claude', claude.transcripts?.fileOf(SESSION, place.project) ?? '');
    mkdirSync(dirname(transcript), { recursive: true });
    const line = { type: 'user', uuid: checkpoint.id, parentUuid: null, message: { role: 'user', content: 'Make' } };
    writeFileSync(transcript, `${JSON.stringify(line)}\n`);
    return { place, checkpoint: checkpoint.id, file: join(place.project, 'new.txt') };
  }

  test('[G-15] can be gone back to: first it is shown, then it is done as it was shown', async () => {
    const { place, checkpoint, file } = await worked();
    const { bridge } = place.window;
    const where = { sessionId: SESSION, checkpoint };
    await expect(bridge.previewRewind(where)).rejects.toThrow('is at work; stop it first');
    place.make('on');
    await endOf(place);
    place.script([['rewinds', { [checkpoint]: { 'new.txt': null } }]]);
    const another = '00000000-0000-4000-8000-000000000000';
    const gone = { sessionId: SESSION, checkpoint: another };
    for (const go of [() => bridge.previewRewind(gone), () => bridge.rewind({ ...gone, digest: 'none' })])
      await expect(go()).rejects.toThrow(`session ${SESSION} has no prompt ${another}: look at its prompts again`);
    const preview = await bridge.previewRewind(where);
    expect(preview).toMatchObject({ sessionId: SESSION, checkpoint, prompt: 'Make a file', next: {} });
    expect(preview.files).toMatchObject([{ path: file, action: 'remove' }]);
    expect(existsSync(file)).toBe(true);
    await expect(bridge.rewind({ ...where, digest: 'another' })).rejects.toThrow('something else than what was shown');
    expect(existsSync(file)).toBe(true);
    const { failed } = await bridge.rewind({ ...where, digest: preview.digest });
    expect(failed).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test('[G-15] of a session that the run has left since can be gone back to', async () => {
    const { place, checkpoint } = await worked([['session', randomUUID()], ['init'], ['text', 'Anew'], ['result']]);
    place.make('on');
    await endOf(place);
    place.script([['rewinds', { [checkpoint]: { 'new.txt': null } }]]);
    const preview = await place.window.bridge.previewRewind({ sessionId: SESSION, checkpoint });
    expect(preview).toMatchObject({ prompt: 'Make a file', files: [{ action: 'remove' }] });
  });

  test('[G-15] of a session that was not run here cannot be gone back to', async () => {
    const { window } = createPlace([]);
    const where = { sessionId: SESSION, checkpoint: SESSION };
    await expect(window.bridge.previewRewind(where)).rejects.toThrow('was run since the app was started');
  });
});

test('an app that cannot tell its windows goes on with the run, and hears of it', async () => {
  let isBroken = false;
  const place: Place = createPlace(ANSWERS, {
    windows: () => {
      if (isBroken) throw new Error('no windows');
      return place.windows;
    },
  });
  const run = place.window.bridge.start({ prompt: 'Do it' }).finally(() => {
    isBroken = true;
  });
  const { runId } = await run;
  await place.tailrace.registry.get(runId)?.ended;
  await until(() => place.warnings.some((message) => message.includes('no windows')));
});

test('lines that cannot be read are warnings of the app', async () => {
  const place = createPlace([['init'], ['raw', 'not json\n'], ['prompt'], ['result']]);
  await place.window.bridge.start({ prompt: 'Do it' });
  await endOf(place);
  expect(place.warnings).toEqual([expect.stringContaining('not json')]);
});
