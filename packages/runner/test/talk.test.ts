// What is said to a running agent, and what it is answered.

import { type AgentStreamEvent, type Answer, type EventOf, type EventType, MAX_DEPTH } from '@tailrace/core';
import { describe, expect, test } from 'vitest';
import { endOf, FakeClock, isAlive, type Played, play, type Step } from './fake.ts';

const ASK: readonly Step[] = [
  ['init'],
  ['prompt'],
  ['call', 'c1', 'Write', { file_path: 'a.txt', content: 'a' }],
  ['ask', 'c1', 'Write', { file_path: 'a.txt', content: 'a' }],
  ['result'],
  ['until-stdin-ends'],
];

const of = <T extends EventType>(events: readonly AgentStreamEvent[], type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

/** What the agent got as answers. */
function answersOf({ stdin }: Played): unknown[] {
  const lines = stdin().toString('utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line))
    .flatMap(({ type, response }) => (type === 'control_response' ? response.response : []));
}

describe('a permission', () => {
  test('is asked for, waits for the person, and the answer goes back', async () => {
    const played = await play(ASK, { waits: { quiet: 10 } });
    const { run, requests, states, events, until } = played;
    await until(() => requests.length === 1);
    expect(run.state).toBe('waiting');
    expect(requests[0]).toMatchObject({ type: 'permission-request', toolName: 'Write', toolCallId: 'c1' });
    expect(run.requests).toHaveLength(1);
    run.answer('ask-c1', { decision: 'allow' });
    expect(run.requests).toEqual([]);
    expect((await run.ended).success).toBe(true);
    expect(answersOf(played)).toEqual([{ behavior: 'allow', updatedInput: { file_path: 'a.txt', content: 'a' } }]);
    expect(of(events, 'permission-resolve')).toMatchObject([{ decision: 'allowed', by: 'user', requestId: 'ask-c1' }]);
    expect(states).toEqual(expect.arrayContaining(['waiting', 'working', 'finishing', 'ended']));
  });

  test('is given with another input', async () => {
    const played = await play(ASK, {
      waits: { quiet: 10 },
      policy: () => ({ decision: 'allow', input: { file_path: 'b.txt' } }),
    });
    await played.run.ended;
    expect(answersOf(played)).toEqual([{ behavior: 'allow', updatedInput: { file_path: 'b.txt' } }]);
  });

  test('is refused with a reason, and with an interrupt', async () => {
    const played = await play(ASK, {
      waits: { quiet: 10 },
      policy: () => ({ decision: 'deny', reason: 'not there', interrupt: true }),
    });
    await played.run.ended;
    expect(answersOf(played)).toEqual([{ behavior: 'deny', message: 'not there', interrupt: true }]);
    expect(of(played.events, 'permission-resolve')).toMatchObject([
      { decision: 'denied', by: 'policy', reason: 'not there' },
    ]);
  });

  test('is answered once: the first answer counts', async () => {
    const { run, requests, until } = await play(ASK, { waits: { quiet: 10 } });
    await until(() => requests.length === 1);
    run.answer('ask-c1', { decision: 'deny' });
    expect(() => run.answer('ask-c1', { decision: 'allow' })).toThrow(/no request "ask-c1" waits/);
    expect(() => run.answer('another', { decision: 'allow' })).toThrow(/no request "another" waits/);
    await run.ended;
  });

  test('is answered once, also by somebody who answers as soon as an answer is told', async () => {
    const refused: unknown[] = [];
    const played = await play(ASK, {
      waits: { quiet: 10 },
      onLines: (lines) => {
        if (!lines.some(({ bytes }) => Buffer.from(bytes).includes('"answered"'))) return;
        try {
          played.run.answer('ask-c1', { decision: 'allow' });
        } catch (error) {
          refused.push(error);
        }
      },
    });
    await played.until(() => played.requests.length === 1);
    played.run.answer('ask-c1', { decision: 'deny' });
    await played.run.ended;
    expect(refused).toHaveLength(1);
    expect(answersOf(played)).toMatchObject([{ behavior: 'deny' }]);
  });

  test('is never answered by time: a year later it still waits', async () => {
    const clock = new FakeClock();
    const { run, requests, until, told } = await play(ASK, { clock });
    await until(() => requests.length === 1);
    clock.pass(365 * 24 * 3_600_000);
    expect(run.state).toBe('waiting');
    expect(run.requests).toHaveLength(1);
    expect(told().pid).toBeGreaterThan(0);
    run.answer('ask-c1', { decision: 'allow' });
    await until(() => run.state === 'idle');
    clock.pass(2_000);
    await endOf(run, clock);
  });

  test('is left to the person when the policy says nothing, and when it fails', async () => {
    for (const policy of [() => undefined, () => Promise.reject(new Error('no idea'))]) {
      const { run, requests, events, until } = await play(ASK, { waits: { quiet: 10 }, policy });
      await until(() => requests.length === 1);
      run.answer('ask-c1', { decision: 'allow' });
      await run.ended;
      expect(of(events, 'permission-resolve')).toMatchObject([{ by: 'user' }]);
    }
  });
});

const QUESTION: readonly Step[] = [
  ['init'],
  ['prompt'],
  ['call', 'q1', 'AskUserQuestion'],
  ['question', 'q1', 'Which?', ['red', 'blue']],
  ['result'],
  ['until-stdin-ends'],
];

/** So many objects in one another. */
function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}

function cyclic(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

/** The rows of the record that tell of answers, by where they came from. */
const answeredIn = ({ rows }: Played): string[] =>
  rows
    .filter(({ bytes }) => /"answered"|"control_response"/.test(Buffer.from(bytes).toString()))
    .map(({ source }) => source);

describe('[T-21] an answer that is none is refused in a sentence, and the request waits for a good one:', () => {
  const LINE_LEVELS = 3;
  test.each<[string, unknown, RegExp]>([
    ['one for a question', { decision: 'answer', content: { a: 'b' } }, /"answer" is no answer to a permission/],
    ['a decision that nobody knows', { decision: 'perhaps' }, /"perhaps" is no answer to a permission/],
    ['no decision', {}, /is no answer to a permission/],
    ['nothing', undefined, /is no answer/],
    ['a word', 'allow', /is no answer/],
    ['a text for an input', { decision: 'allow', input: 'a string' }, /"input" .* object/],
    ['a list for an input', { decision: 'allow', input: ['ls'] }, /"input" .* object/],
    ['null for an input', { decision: 'allow', input: null }, /"input" .* object/],
    ['a map for an input', { decision: 'allow', input: new Map([['a', 1]]) }, /cannot be written as JSON/],
    [
      'an input that becomes a text',
      { decision: 'allow', input: { toJSON: () => 'a string' } },
      /cannot be written as JSON/,
    ],
    ['always in a text', { decision: 'allow', always: 'false' }, /"always" .* true or false/],
    ['an input under another name', { decision: 'allow', updatedInput: {} }, /nothing is known of "updatedInput"/],
    ['a reason that is no text', { decision: 'deny', reason: 7 }, /"reason" .* text/],
    ['a BigInt', { decision: 'allow', input: { n: 1n } }, /cannot be written as JSON/],
    ['nothing in a list', { decision: 'allow', input: { list: ['a', undefined] } }, /cannot be written as JSON/],
    ['a list with a hole', { decision: 'allow', input: { list: new Array(2) } }, /cannot be written as JSON/],
    ['a date', { decision: 'allow', input: { at: new Date(0) } }, /cannot be written as JSON/],
    ['a map inside', { decision: 'allow', input: { m: new Map() } }, /cannot be written as JSON/],
    ['no number', { decision: 'allow', input: { n: Number.NaN } }, /cannot be written as JSON/],
    ['what leads back to itself', { decision: 'allow', input: cyclic() }, /cannot be written as JSON/],
    ['1,200 levels', { decision: 'allow', input: nested(1200) }, /nested too deeply/],
    ['one level too many', { decision: 'allow', input: nested(MAX_DEPTH - LINE_LEVELS + 1) }, /nested too deeply/],
    ['100,000 levels', { decision: 'allow', input: nested(100_000) }, /nested too deeply/],
  ])('%s, to a permission', async (_name, bad, sentence) => {
    const played = await play(ASK, { waits: { quiet: 10 } });
    const { run, requests, until, events } = played;
    await until(() => requests.length === 1);
    for (let time = 0; time < 2; time++) {
      const give = (): void => run.answer('ask-c1', bad as Answer);
      expect(give).toThrow(sentence);
      expect(give).toThrow(expect.objectContaining({ code: 'bad-answer', isTailraceError: true }));
    }
    expect(run.requests).toHaveLength(1);
    expect(run.state).toBe('waiting');
    expect(answeredIn(played)).toEqual([]);
    run.answer('ask-c1', { decision: 'allow', input: nested(MAX_DEPTH - LINE_LEVELS) });
    expect((await run.ended).success).toBe(true);
    expect(answeredIn(played)).toEqual(['host', 'stdin']);
    expect(answersOf(played)).toMatchObject([{ behavior: 'allow', updatedInput: { a: {} } }]);
    expect(of(events, 'permission-resolve')).toMatchObject([{ decision: 'allowed', by: 'user' }]);
    expect(of(events, 'notice')).toEqual([]);
  });

  test.each<[string, unknown, RegExp]>([
    ['an allow', { decision: 'allow' }, /"allow" is no answer to a question/],
    ['a text for what was chosen', { decision: 'answer', content: 'blue' }, /"content" .* object/],
    ['nothing chosen', { decision: 'answer' }, /"content" .* object/],
    ['what leads back to itself', { decision: 'answer', content: cyclic() }, /cannot be written as JSON/],
    ['1,200 levels', { decision: 'answer', content: nested(1200) }, /nested too deeply/],
    ['no question', { decision: 'answer', content: {} }, /nothing is answered: "content" has an answer for "Which\?"/],
    [
      'another question',
      { decision: 'answer', content: { 'Who?': 'red' } },
      /"Who\?" was not asked: that is "Which\?"/,
    ],
    ['a list for the words', { decision: 'answer', content: { 'Which?': ['red'] } }, /"Which\?" has to be a text/],
    ['blanks for the words', { decision: 'answer', content: { 'Which?': ' ' } }, /"Which\?" has to be a text/],
  ])('%s, to a question', async (_name, bad, sentence) => {
    const played = await play(QUESTION, { waits: { quiet: 10 } });
    const { run, requests, until, events } = played;
    await until(() => requests.length === 1);
    expect(() => run.answer('ask-q1', bad as Answer)).toThrow(sentence);
    expect(run.requests).toHaveLength(1);
    expect(answeredIn(played)).toEqual([]);
    run.answer('ask-q1', { decision: 'answer', content: { 'Which?': 'red' } });
    await run.ended;
    expect(answersOf(played)).toMatchObject([{ updatedInput: { answers: { 'Which?': 'red' } } }]);
    expect(of(events, 'notice')).toEqual([]);
  });

  test.each([{ decision: 'answer', content: {} }, { decision: 'allow', input: { n: 1n } }, true])(
    '%o of a policy, so a person is asked',
    async (bad) => {
      const played = await play(ASK, { waits: { quiet: 10 }, policy: () => bad as Answer });
      const { run, requests, until, events } = played;
      await until(() => requests.length === 1);
      run.answer('ask-c1', { decision: 'deny' });
      await run.ended;
      expect(answersOf(played)).toMatchObject([{ behavior: 'deny' }]);
      expect(of(events, 'permission-resolve')).toMatchObject([{ decision: 'denied', by: 'user' }]);
      expect(of(events, 'notice')).toMatchObject([
        {
          nativeCode: 'policy',
          title: expect.stringMatching(/^the policy's answer was refused, so a person is asked: /),
        },
      ]);
    },
  );

  test('what the agent gets is what was given, whatever becomes of it meanwhile', async () => {
    const played = await play(ASK, { waits: { quiet: 10 } });
    await played.until(() => played.requests.length === 1);
    let reads = 0;
    const shifty = {
      get decision() {
        return reads++ === 0 ? 'deny' : 'allow';
      },
    };
    played.run.answer('ask-c1', shifty as Answer);
    await played.run.ended;
    expect(answersOf(played)).toMatchObject([{ behavior: 'deny' }]);
  });
});

test('the record has an answer only if the agent gets it, also where somebody closes stdin when they hear of it', async () => {
  const played = await play(ASK, {
    waits: { quiet: 10 },
    onLines: (lines) => {
      if (lines.some(({ bytes }) => Buffer.from(bytes).includes('"answered"'))) played.run.close();
    },
  });
  await played.until(() => played.requests.length === 1);
  played.run.answer('ask-c1', { decision: 'allow' });
  await played.run.ended;
  expect(answeredIn(played)).toEqual(['host', 'stdin']);
  expect(answersOf(played)).toMatchObject([{ behavior: 'allow' }]);
});

test('an answer that nobody hears is not given, and not in the record', async () => {
  const played = await play([...ASK.slice(0, 4), ['hang']]);
  await played.until(() => played.requests.length === 1);
  played.run.close();
  for (let time = 0; time < 2; time++)
    expect(() => played.run.answer('ask-c1', { decision: 'allow' })).toThrow('the agent takes no more answers');
  expect(answeredIn(played)).toEqual([]);
});

describe('nobody is told anything', () => {
  /** It asks, and does not wait. */
  const asked = JSON.stringify({
    type: 'control_request',
    request_id: 'ask-c1',
    request: { subtype: 'can_use_tool', tool_name: 'Write', input: {}, tool_use_id: 'c1' },
  });

  test('when the agent has exited, though a process that it left behind holds its pipes', async () => {
    const clock = new FakeClock();
    const steps: readonly Step[] = [...ASK.slice(0, 3), ['raw', `${asked}\n`], ['child', 'holds-all'], ['exit', 0]];
    const played = await play(steps, { clock, conversation: true });
    const { run, requests, told, until } = played;
    await until(() => requests.length === 1 && !isAlive(told().pid));
    const deaf = { code: 'not-listening', message: 'the agent has ended: nobody reads what is said to it' };
    await until(() => run.requests.length === 0);
    expect(() => run.answer('ask-c1', { decision: 'allow' })).toThrow(expect.objectContaining(deaf));
    expect(() => run.send('More')).toThrow(expect.objectContaining(deaf));
    await expect(run.setModel('x')).rejects.toMatchObject({ code: 'not-listening' });
    await endOf(run, clock);
    expect(answeredIn(played)).toEqual([]);
    expect(of(played.events, 'permission-resolve')).toMatchObject([{ decision: 'cancelled' }]);
  });

  test('when the run is being ended, by a person or by a policy that takes its time', async () => {
    const clock = new FakeClock();
    let decide = (_answer: Answer): void => {};
    const policy = (): Promise<Answer> =>
      new Promise((resolve) => {
        decide = resolve;
      });
    for (const options of [{}, { policy }]) {
      const played = await play([...ASK.slice(0, 4), ['hang']], { clock, ...options });
      const { run, events, until } = played;
      await until(() => of(events, 'permission-request').length === 1);
      run.stop();
      expect(run.requests).toEqual([]);
      decide({ decision: 'allow' });
      const deaf = { code: 'not-listening', message: 'the run is being ended: nobody would answer' };
      expect(() => run.answer('ask-c1', { decision: 'allow' })).toThrow(expect.objectContaining(deaf));
      await endOf(run, clock);
      expect(answeredIn(played)).toEqual([]);
      expect(of(events, 'notice')).toEqual([]);
    }
  });
});

test('a question shows its options, and what was chosen goes back', async () => {
  const played = await play(QUESTION, { waits: { quiet: 10 } });
  await played.until(() => played.requests.length === 1);
  expect(played.requests[0]).toMatchObject({ type: 'question-request', message: 'Which?', choices: ['red', 'blue'] });
  played.run.answer('ask-q1', { decision: 'answer', content: { 'Which?': 'blue' } });
  await played.run.ended;
  expect(answersOf(played)).toMatchObject([{ behavior: 'allow', updatedInput: { answers: { 'Which?': 'blue' } } }]);
  expect(of(played.events, 'question-resolve')).toMatchObject([{ outcome: 'success', answer: { 'Which?': 'blue' } }]);
});

test('several prompts are answered in one run, which ends when the person closes it', async () => {
  const { run, events, until, states } = await play([['reply-to-prompts']], { conversation: true });
  await until(() => run.state === 'idle');
  const id = run.send('And more');
  await until(() => of(events, 'turn-end').length === 2);
  await until(() => run.state === 'idle');
  run.close();
  expect(() => run.send('too late')).toThrow('the agent takes no more prompts: its stdin is closed');
  expect(await run.ended).toMatchObject({ success: true, end: 'exit' });
  expect(of(events, 'user-message').map(({ messageId }) => messageId)).toContain(id);
  expect(of(events, 'turn-end').map(({ result }) => result)).toEqual(['You said: Do it', 'You said: And more']);
  expect(states.filter((state) => state === 'idle')).toHaveLength(2);
  expect(() => run.send('too late')).toThrow('the agent has ended');
});

test('a conversation ends after the set idle time, and not before', async () => {
  const clock = new FakeClock();
  const { run, until } = await play([['reply-to-prompts']], { conversation: true, clock, waits: { idle: 60_000 } });
  await until(() => run.state === 'idle');
  clock.pass(59_000);
  expect(run.state).toBe('idle');
  clock.pass(1_000);
  expect(run.state).toBe('finishing');
  await endOf(run, clock);
});

test('an interrupt breaks off the turn and not the run', async () => {
  const { run, until, events } = await play([['demands'], ['init'], ['prompt'], ['call', 'c1', 'Bash'], ['hang']], {
    conversation: true,
  });
  await until(() => run.state === 'working');
  await until(() => of(events, 'tool-call-start').length === 1);
  await run.interrupt();
  await until(() => run.state === 'idle');
  expect(of(events, 'turn-end')).toMatchObject([{ outcome: 'cancelled' }]);
  expect(await run.kill()).toMatchObject({ end: 'stopped', aborted: true });
});

test('model and permission mode are changed while it runs; what the agent refuses is an error', async () => {
  const { run, until } = await play([['reply-to-prompts']], { conversation: true });
  await until(() => run.state === 'idle');
  await run.setModel('fake-2');
  await run.setPermissionMode('plan');
  await expect(run.contextUsage()).rejects.toThrow(/does not tell what fills the context/);
  await expect(run.rewindFiles('nowhere')).rejects.toThrow(/nowhere/);
  run.close();
  await run.ended;
  await expect(run.setModel('fake-3')).rejects.toThrow(/takes no more input/);
});

test('what was asked and never answered is told when the run ends', async () => {
  const { run, until } = await play([['init'], ['prompt'], ['await-file', 'never'], ['hang']], { conversation: true });
  await until(() => run.state === 'working');
  const asked = run.setModel('x');
  run.kill();
  await expect(asked).rejects.toThrow(/got no reply: the run has ended/);
});

test('an agent that no longer reads is told as an event, and harms nothing', async () => {
  const { run, until, events } = await play([['init'], ['prompt'], ['stop-reading'], ['text', 'deaf now'], ['hang']], {
    conversation: true,
  });
  await until(() => of(events, 'text-end').length === 1);
  run.send('x'.repeat(1_000_000));
  await until(() => of(events, 'notice').some(({ nativeCode }) => nativeCode === 'stdin'));
  expect(await run.kill()).toMatchObject({ end: 'stopped' });
});

test('a long prompt waits for the pipe and arrives whole', async () => {
  const prompt = 'long '.repeat(400_000);
  const { run, stdin } = await play([['init'], ['prompt'], ['result'], ['until-stdin-ends']], {
    prompt,
    waits: { quiet: 10 },
  });
  await run.ended;
  expect(JSON.parse(stdin().toString()).message.content).toBe(prompt);
});

test('a listener that fails is told as a warning and harms nothing', async () => {
  const { run, events } = await play([['init'], ['prompt'], ['result'], ['exit', 0]], {
    onSession: () => {
      throw new Error('I have a bug');
    },
  });
  expect((await run.ended).success).toBe(true);
  expect(of(events, 'notice')).toMatchObject([{ nativeCode: 'listener', title: 'onSession failed: I have a bug' }]);
});

test.each(['onLines', 'onEvents', 'onSession', 'onState', 'onRequest'])(
  'a promise of %s that fails is told as a warning, and harms nothing',
  async (name) => {
    const { run, events, requests, until } = await play(
      [['init'], ['prompt'], ['ask', 'c1', 'Bash'], ['result'], ['exit', 0]],
      { [name]: async () => Promise.reject(new Error('I have a bug')) },
    );
    // A rejection that nobody takes would fail this test too.
    await until(() => requests.length > 0 && of(events, 'notice').length > 0);
    run.answer(requests[0]?.requestId ?? '', { decision: 'allow' });
    expect((await run.ended).success).toBe(true);
    expect(of(events, 'notice')).toMatchObject([{ nativeCode: 'listener', title: `${name} failed: I have a bug` }]);
  },
);
