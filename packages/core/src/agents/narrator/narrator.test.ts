// A narrator keeps the promises whatever it is told, in whatever order.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { ofType } from '../../../test/captures.ts';
import { brokenPromises } from '../../../test/promises.ts';
import type { AgentStreamEvent } from '../../event/event.ts';
import { EventCollector } from '../../writer.ts';
import type { Exit } from '../agent.ts';
import { traits } from '../tools.ts';
import { Narrator } from './narrator.ts';

/** The events of what is told, one message for each. */
function told(tell: readonly ((narrator: Narrator) => void)[], exit: Exit = {}): AgentStreamEvent[] {
  const out = new EventCollector();
  const narrator = new Narrator({ agent: 'brook' });
  tell.forEach((say, index) => {
    out.begin(index + 1, undefined, 'stdout');
    narrator.begin(out);
    say(narrator);
  });
  out.begin(tell.length, undefined, 'stdout');
  narrator.end(exit, out);
  return out.take();
}

const shell = { name: 'shell', traits: traits('execute') };
const types = (events: readonly AgentStreamEvent[]): string[] => events.map(({ type }) => type);

describe('a session', () => {
  test('of which nothing is told begins and ends', () => {
    expect(types(told([]))).toEqual(['session-start', 'session-end']);
  });

  test('tells what is new of what it is run with, and only that', () => {
    const events = told([
      (narrator) => narrator.learn({ model: 'm', tools: ['a'] }),
      (narrator) => narrator.learn({ model: 'm', tools: ['a'], cwd: undefined }),
      (narrator) => narrator.learn({ model: 'n', tools: ['a'] }),
    ]);
    expect(ofType(events, 'session-update').map(({ model, tools }) => [model, tools])).toEqual([
      ['m', ['a']],
      ['n', undefined],
    ]);
  });
});

describe('a block', () => {
  test('that comes in pieces is what they make', () => {
    const events = told([
      (n) => n.addText('text', 'One '),
      (n) => n.addText('text', 'two'),
      (n) => n.endBlock('text', undefined),
    ]);
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'One two' }]);
  });

  test('of which the end has more than the pieces gets the rest as one more', () => {
    const events = told([(n) => n.addText('text', 'One '), (n) => n.endBlock('text', 'One two')]);
    expect(ofType(events, 'text-delta').map(({ delta }) => delta)).toEqual(['One ', 'two']);
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'One two' }]);
  });

  test('whose end says something else is taken back, and told again', () => {
    const events = told([(n) => n.addText('text', 'One '), (n) => n.endBlock('text', 'Two')]);
    const [first, second] = ofType(events, 'text-end');
    expect([first?.text, first?.partial, second?.text]).toEqual(['One ', true, 'Two']);
    expect(ofType(events, 'message-retract')).toMatchObject([{ blockIds: [first?.blockId] }]);
  });

  test('without a word is none', () => {
    expect(types(told([(n) => n.endBlock('text', ''), (n) => n.addText('text', '')]))).toEqual([
      'session-start',
      'session-end',
    ]);
  });

  test('that is open when the process dies is not whole', () => {
    const events = told([(n) => n.addText('text', 'Hal')], { signal: 'SIGKILL' });
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'Hal', partial: true, synthetic: true }]);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'cancelled', synthetic: true }]);
  });

  test('may be open beside another of the same message', () => {
    const events = told([
      (n) => n.addText('text', 'a', '0'),
      (n) => n.addText('text', 'b', '1'),
      (n) => n.addText('text', 'A', '0'),
      (n) => n.endMessage(),
    ]);
    expect(ofType(events, 'text-end').map(({ text }) => text)).toEqual(['aA', 'b']);
  });
});

describe('a step', () => {
  test('whose model said nothing has a message all the same, which carries its tokens', () => {
    const events = told([(n) => n.startStep(), (n) => n.endStep({ usage: { inputTokens: 5 } })]);
    const [message] = ofType(events, 'message-end');
    const [step] = ofType(events, 'step-end');
    expect(message).toMatchObject({ usage: { inputTokens: 5 }, messageId: step?.stepId });
  });
});

describe('a call', () => {
  test('that is told twice is one, and gets its input once', () => {
    const events = told([
      (n) => n.startCall({ id: 'c', ...shell }),
      (n) => n.startCall({ id: 'c', ...shell }),
      (n) => n.endInput('c', { a: 1 }),
      (n) => n.endInput('c', { a: 2 }),
      (n) => n.endCall('c', { outcome: 'success', content: [] }),
      (n) => expect(n.endCall('c', { outcome: 'error', content: [] })).toBe(false),
    ]);
    expect(ofType(events, 'tool-call-start')).toHaveLength(1);
    expect(ofType(events, 'tool-call-input-end')).toMatchObject([{ input: { a: 1 } }]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'success' }]);
  });

  test('whose id was used before has another', () => {
    const once = [
      (n: Narrator) => void n.startCall({ id: 'c', ...shell }),
      (n: Narrator) => void n.endCall('c', { outcome: 'success', content: [] }),
    ];
    const ids = ofType(told([...once, ...once, ...once]), 'tool-call-start').map(({ toolCallId }) => toolCallId);
    expect(ids).toEqual(['c', 'c#2', 'c#3']);
  });

  test.each([
    ['{"a":1}', { a: 1 }],
    ['{"a":', '{"a":'],
    ['', {}],
  ])('cut off after %j has the input as far as it came', (text, input) => {
    const events = told([(n) => n.startCall({ id: 'c', ...shell }), (n) => n.addInput('c', text)], { code: 0 });
    expect(ofType(events, 'tool-call-input-end')).toMatchObject([{ input, synthetic: true }]);
    expect(ofType(events, 'tool-call-end')).toMatchObject([{ outcome: 'unknown', synthetic: true }]);
  });
});

describe('a sub-agent', () => {
  test('has a thread of its own, beside the main one', () => {
    const events = told([
      (n) => n.startCall({ id: 'c', name: 'task', traits: traits('think', 'subagent') }),
      (n) => n.startTask({ id: 't', kind: 'agent', toolCallId: 'c' }),
      (n) => {
        n.enterTask('t');
        n.addText('text', 'inside');
      },
      (n) => n.addText('text', 'outside'),
      (n) => n.endTask('t', { outcome: 'success' }),
    ]);
    expect(ofType(events, 'text-end').map(({ text, subagentId }) => [text, subagentId])).toEqual([
      ['inside', 't'],
      ['outside', undefined],
    ]);
    expect(ofType(events, 'task-end')).toHaveLength(1);
  });
});

describe('a failure', () => {
  test('that is told twice within a turn is one error, and the reason why the turn failed', () => {
    const error = { code: 'network', message: 'gone' } as const;
    const events = told([
      (n) => n.startTurn(),
      (n) => n.fail(error, false),
      (n) => n.fail(error, true),
      (n) => n.endTurn({ outcome: 'error' }),
    ]);
    expect(ofType(events, 'error')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ outcome: 'error', error });
  });
});

/** Everything that can be said, with few ids so that they meet. */
const sayings: readonly ((n: Narrator, id: string) => void)[] = [
  (n) => n.startTurn(),
  (n) => n.endTurn({ outcome: 'success' }),
  (n) => n.endTurn({ outcome: 'error' }),
  (n, id) => n.startStep({ id }),
  (n) => n.startStep(),
  (n) => n.endStep({ usage: { inputTokens: 1 } }),
  (n, id) => void n.startMessage({ id }),
  (n) => n.endMessage(),
  (n, id) => n.addText('text', 'abc', id),
  (n, id) => n.addText('reasoning', 'abc', id),
  (n, id) => n.startBlock('reasoning', id),
  (n, id) => n.endBlock('text', 'abcabc', {}, id),
  (n, id) => n.endBlock('reasoning', undefined, { form: 'full' }, id),
  (n, id) => void n.startCall({ id, ...shell }),
  (n, id) => n.addInput(id, '{}'),
  (n, id) => n.endInput(id, {}),
  (n, id) => void n.updateCall(id, { outputDelta: 'x' }),
  (n, id) => void n.endCall(id, { outcome: 'success', content: [] }),
  (n, id) => n.startTask({ id, kind: 'agent' }),
  (n, id) => n.enterTask(id),
  (n, id) => void n.updateTask(id, { status: 'running' }),
  (n, id) => void n.endTask(id, { outcome: 'success' }),
  (n) => n.startRetry({ attempt: 1 }),
  (n) => n.endRetry('success'),
  (n) => n.startCompaction(),
  (n) => n.endCompaction({ outcome: 'success' }),
  (n, id) => n.startHook(id, { name: 'h' }),
  (n, id) => void n.endHook(id, { outcome: 'success' }),
  (n, id) => n.askPermission(id, {}),
  (n, id) => n.resolvePermission(id, { decision: 'denied', by: 'user' }),
  (n, id) => n.askQuestion(id, { message: '?' }),
  (n, id) => void n.resolveQuestion(id, { outcome: 'success' }),
  (n) => n.fail({ code: 'unknown', message: 'x' }, false),
  (n) => n.abort(),
  (n) => n.keep({ type: 'x' }),
  (n) => n.keepUnknown({ type: 'y' }),
];

test('whatever is told, in whatever order, the promises hold', () => {
  const saying = fc.record({
    what: fc.nat(sayings.length - 1),
    id: fc.constantFrom('a', 'b', 'a#2'),
    isSame: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(saying, { maxLength: 60 }),
      fc.constantFrom<Exit>({}, { signal: 'SIGKILL' }, { code: 1 }),
      (list, exit) => {
        // Several may be said in one message.
        const messages: ((n: Narrator) => void)[][] = [];
        for (const { what, id, isSame } of list) {
          const say = (n: Narrator): void => sayings[what]?.(n, id);
          if (isSame && messages.length > 0) messages.at(-1)?.push(say);
          else messages.push([say]);
        }
        const events = told(
          messages.map((says) => (n) => {
            for (const say of says) say(n);
          }),
          exit,
        );
        expect(brokenPromises(events)).toEqual([]);
      },
    ),
    { numRuns: counts.runs * 10 },
  );
});

describe('what happens in a sub-agent', () => {
  test('ends no retry of the main thread, and is not why the turn failed', () => {
    const inTask = (say: (n: Narrator) => void) => (n: Narrator) => {
      n.enterTask('t');
      say(n);
    };
    const events = told([
      (n) => n.startTask({ id: 't', kind: 'agent' }),
      (n) => n.startRetry({ attempt: 1 }),
      inTask((n) => n.addText('text', 'inside')),
      inTask((n) => n.fail({ code: 'network', message: 'its own' }, false)),
      (n) => n.endTurn({ outcome: 'error' }),
    ]);
    expect(ofType(events, 'retry-end')).toMatchObject([{ outcome: 'error', line: 5 }]);
    expect(ofType(events, 'retry-end')[0]).not.toHaveProperty('subagentId');
    expect(ofType(events, 'error')).toMatchObject([{ subagentId: 't' }]);
    expect(ofType(events, 'turn-end')[0]).not.toHaveProperty('error');
  });
});

test('a failed call without a reason of its own has what it shows for one', () => {
  const fails = (end: object) =>
    ofType(
      told([
        (n) => n.startCall({ id: 'c', ...shell }),
        (n) => n.endCall('c', { outcome: 'error', content: [{ type: 'text', text: 'no such file' }], ...end }),
      ]),
      'tool-call-end',
    )[0]?.error?.message;
  expect([fails({}), fails({ exitCode: 1 }), fails({ outcome: 'success' })]).toEqual([
    'no such file',
    undefined,
    undefined,
  ]);
});
