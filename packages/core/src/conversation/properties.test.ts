import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyEvent, countDiffering, event, freeze, partsIn, reduceAll } from '../../test/conversations.ts';
import type { AgentStreamEvent, EventType } from '../event/event.ts';
import { isCall } from './calls.ts';
import { contentsOf, messagesOf } from './chat.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { compareOrders, findEntry } from './list.ts';
import { outputsOf } from './outputs.ts';
import { reduce } from './reduce.ts';
import { filesChanged, openRequests, partsOf, view } from './select.ts';
import { subagentsOf } from './subagents.ts';

const streams = fc.array(anyEvent(), { maxLength: 80, size: 'max' });

test('any events in any order: nothing throws, nothing is changed in place, everything stays sorted', () => {
  fc.assert(
    fc.property(streams, (events) => {
      let conversation = freeze(createConversation());
      for (const one of events) {
        const next = freeze(reduce(conversation, freeze(one)));
        expect(countLost(conversation, next)).toBe(0);
        conversation = next;
      }
      const parts = partsIn(conversation);
      expect(parts).toHaveLength(conversation.partCount);
      expect(parts.every((part, at) => at === 0 || compareOrders((parts[at - 1] ?? part).order, part.order) < 0)).toBe(
        true,
      );
      expect(parts.every((part) => findEntry(conversation.parts, part.id) === part)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

test('a run of 100,000 events is reduced without a change in place', () => {
  const answer = (at: number): AgentStreamEvent[] => {
    const [messageId, blockId, toolCallId] = [`m${at}`, `b${at}`, `c${at}`];
    const own = at % 4 === 0 ? { subagentId: `agent ${at % 40}` } : {};
    return [
      event('message-start', { messageId, ...own }),
      event('text-start', { messageId, blockId, ...own }),
      ...['One ', 'two ', 'three.'].map((delta) => event('text-delta', { messageId, blockId, delta, ...own })),
      event('text-end', { messageId, blockId, text: 'One two three.', time: 2 * at, ...own }),
      event('tool-call-start', { toolCallId, toolName: 'Read', kind: 'read', messageId, ...own }),
      event('tool-call-input-end', { toolCallId, input: {}, time: 2 * at, ...own }),
      event('tool-call-end', {
        toolCallId,
        toolName: 'Read',
        outcome: 'success',
        content: [],
        time: 2 * at + 1,
        ...own,
      }),
      event('message-end', { messageId, ...own }),
    ];
  };
  let conversation = createConversation();
  for (let at = 0; at < 10_000; at++) {
    for (const one of answer(at)) conversation = freeze(reduce(conversation, freeze(one)));
  }
  expect(conversation.partCount).toBe(20_000);
  expect(partsOf(conversation)).toHaveLength(15_000);
  expect(partsIn(conversation).every((part) => !('streaming' in part) && !('inputText' in part))).toBe(true);
});

/** Parts of `before` that `after` has no more. */
function countLost(before: Conversation, after: Conversation): number {
  const ids = new Set(partsIn(after).map(({ id }) => id));
  return partsIn(before).filter(({ id }) => !ids.has(id)).length;
}

test('whatever happened can be read', () => {
  fc.assert(
    fc.property(streams, (events) => {
      const conversation = reduceAll(events);
      const threads = [undefined, ...new Set(partsIn(conversation).flatMap(({ subagentId }) => subagentId ?? []))];
      const all = threads.flatMap((thread) => partsOf(conversation, thread, { all: true }));
      expect(all).toHaveLength(conversation.partCount);
      for (const thread of threads) {
        expect(messagesOf(conversation, thread).flatMap(({ parts }) => parts)).toEqual(partsOf(conversation, thread));
      }
      for (const part of all) contentsOf(part);
      for (const one of events) outputsOf(one);
      filesChanged(conversation);
      expect(openRequests(conversation)).toHaveLength(conversation.waiting.length);
      const nodes: string[] = [];
      const walk = (list: ReturnType<typeof subagentsOf>): void => {
        for (const { task, children } of list) {
          nodes.push(task.taskId);
          walk(children);
        }
      };
      walk(subagentsOf(conversation));
      const agents = all.filter(
        (part) => 'task' in part && part.task?.kind === 'agent' && part.retracted === undefined,
      );
      expect(nodes.sort()).toEqual(agents.map((part) => ('task' in part && part.task?.taskId) || '').sort());
      JSON.stringify(view(conversation));
    }),
    { numRuns: 300 },
  );
});

test('[M-10] after the end of the session nothing runs', () => {
  fc.assert(
    fc.property(streams, (events) => {
      const { parts, waiting } = reduceAll([...events, event('session-end', { outcome: 'unknown' })]);
      const open = parts
        .flat()
        .filter((part) => (isCall(part) && /pending|running|waiting/.test(part.status)) || 'streaming' in part);
      expect(open).toEqual([]);
      expect(parts.flat().filter((part) => 'task' in part && part.task?.status === 'running')).toEqual([]);
      expect(waiting).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

describe('reduce is pure:', () => {
  test('two futures of one past are what each would be alone', () => {
    fc.assert(
      fc.property(streams, streams, streams, (past, one, other) => {
        const shared = reduceAll(past);
        // Step by step in turn, so that each disturbs the hints of the other as often as can be.
        let a = shared;
        let b = shared;
        for (let at = 0; at < Math.max(one.length, other.length); at++) {
          a = reduceAll(one.slice(at, at + 1), a);
          b = reduceAll(other.slice(at, at + 1), b);
        }
        expect(a).toEqual(reduceAll([...past, ...one]));
        expect(b).toEqual(reduceAll([...past, ...other]));
        expect(shared).toEqual(reduceAll(past));
      }),
      { numRuns: 150 },
    );
  });

  test('a copy in the middle changes nothing', () => {
    fc.assert(
      fc.property(streams, streams, (past, rest) => {
        expect(reduceAll(rest, structuredClone(reduceAll(past)))).toEqual(reduceAll([...past, ...rest]));
      }),
      { numRuns: 150 },
    );
  });
});

describe('order', () => {
  /** What belongs to a thread and nothing else. */
  const OWN: readonly EventType[] = [
    'text-start',
    'text-delta',
    'text-end',
    'reasoning-start',
    'reasoning-end',
    'tool-call-start',
    'tool-call-input-delta',
    'tool-call-input-end',
    'tool-call-end',
    'message-start',
    'user-message',
    'notice',
    'error',
    'retry-start',
    'retry-end',
  ];

  test('threads may be interleaved in any way', () => {
    // Ids of the two are apart, as they are in life.
    const inThread = (thread: string | undefined) =>
      fc.array(anyEvent(OWN), { maxLength: 40, size: 'max' }).map((events) =>
        events.map((one): AgentStreamEvent => {
          const { subagentId: _, sessionId: __, ...rest } = one as unknown as Record<string, unknown>;
          const own = Object.entries(rest).map(([key, value]) => [
            key,
            key.endsWith('Id') ? `${thread} ${value}` : value,
          ]);
          return { ...Object.fromEntries(own), ...(thread && { subagentId: thread }) };
        }),
      );
    const apart = (conversation: Conversation) => view(conversation).threads;
    fc.assert(
      fc.property(
        inThread(undefined),
        inThread('sub'),
        fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }),
        (a, b, turns) => {
          const mixed: AgentStreamEvent[] = [];
          const left: readonly [AgentStreamEvent[], AgentStreamEvent[]] = [[...a], [...b]];
          for (const isFirst of turns) mixed.push(...left[isFirst ? 0 : 1].splice(0, 1));
          mixed.push(...left[0], ...left[1]);
          expect(apart(reduceAll(mixed))).toEqual(apart(reduceAll([...a, ...b])));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('without any times, what a stream tells stands as it arrived', () => {
    const block = fc.record({ kind: fc.constantFrom('text', 'call', 'prompt', 'notice', 'turn', 'retry') });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 60, size: 'max' }), fc.boolean(), (blocks, isFolded) => {
        // Another reader of several streams says that nothing was timed before.
        const after = isFolded ? { after: 0 } : {};
        const events = blocks.flatMap(({ kind }, at): AgentStreamEvent[] => {
          const id = `${at}`;
          switch (kind) {
            case 'text':
              return [
                event('text-start', { messageId: id, blockId: id, ...after }),
                event('text-delta', { messageId: id, blockId: id, delta: id }),
                event('text-end', { messageId: id, blockId: id, text: id, ...after }),
              ];
            case 'call':
              return [
                event('tool-call-start', { toolCallId: id, toolName: id, kind: 'read', ...after }),
                event('tool-call-input-end', { toolCallId: id, input: id, ...after }),
                event('tool-call-end', { toolCallId: id, toolName: id, outcome: 'success', content: [], ...after }),
              ];
            case 'prompt':
              return isFolded ? [] : [event('user-message', { messageId: id, content: [], origin: 'prompt' })];
            case 'turn':
              return isFolded ? [] : [event('turn-end', { turnId: id, outcome: 'success' })];
            case 'retry':
              return [event('retry-start', { attempt: at, ...after })];
            default:
              return [event('notice', { severity: 'info', title: id, ...after })];
          }
        });
        const arrivals = partsIn(reduceAll(events)).map(({ order }) => order[3]);
        expect(arrivals).toEqual(arrivals.map((_, at) => at));
      }),
      { numRuns: 100 },
    );
  });
});

describe('identity', () => {
  const PARTS = 10_000;
  const thread = (at: number): { subagentId?: string } => (at % 3 === 0 ? { subagentId: `agent ${at % 7}` } : {});
  const long = reduceAll(
    Array.from({ length: PARTS - 2 }, (_, at) => [
      event('text-start', { messageId: `m${at}`, blockId: `b${at}`, time: 1000 + at, ...thread(at) }),
      event('text-end', { messageId: `m${at}`, blockId: `b${at}`, text: `${at}`, time: 1000 + at, ...thread(at) }),
    ]).flat(),
  );
  const streaming = reduceAll(
    [
      event('text-start', { messageId: 'main', blockId: 'main' }),
      event('tool-call-start', { toolCallId: 'call', toolName: 'Write', kind: 'edit', subagentId: 'agent 0' }),
    ],
    long,
  );

  test.each([
    ['a text of the main thread', event('text-delta', { messageId: 'main', blockId: 'main', delta: 'x' })],
    [
      'input inside a sub-agent',
      event('tool-call-input-delta', { toolCallId: 'call', delta: 'x', subagentId: 'agent 0' }),
    ],
    ['output inside a sub-agent', event('tool-call-update', { toolCallId: 'call', outputDelta: 'x', time: 5 })],
    ['a delta with a time', event('text-delta', { messageId: 'main', blockId: 'main', delta: 'x', time: 1e6 })],
  ])('after one delta of %s four objects of 10,000 parts differ', (_, delta) => {
    expect(streaming.partCount).toBe(PARTS);
    const next = reduce(freeze(streaming), delta);
    expect(countDiffering(streaming, next)).toBe(4);
    // Again, from where a delta has been before.
    expect(countDiffering(next, reduce(next, delta))).toBe(4);
  });

  test('the parts that did not change are the same objects', () => {
    const next = reduce(streaming, event('text-delta', { messageId: 'main', blockId: 'main', delta: 'x' }));
    const were = partsIn(streaming);
    const changed = partsIn(next).filter((part, at) => part !== were[at]);
    expect(changed.map(({ id }) => id)).toEqual(['block:main']);
    const [before, after] = [messagesOf(streaming), messagesOf(next)];
    expect(after.filter((message, at) => message !== before[at]).map(({ id }) => id)).toEqual(['block:main']);
    expect(partsOf(next, 'agent 3')).toEqual(partsOf(streaming, 'agent 3'));
    expect(partsOf(next)).toBe(partsOf(next));
  });

  test('what changes nothing gives the same conversation', () => {
    for (const one of [
      event('step-start', { stepId: 's' }),
      event('text-delta', { messageId: 'm1', blockId: 'b1', delta: 'too late' }),
      event('usage-update', { scope: 'step', usage: { outputTokens: 1 } }),
      event('message-retract', { reason: 'nothing' }),
      event('retry-end', { attempt: 1, outcome: 'success' }),
    ])
      expect(reduce(streaming, one)).toBe(streaming);
  });
});
