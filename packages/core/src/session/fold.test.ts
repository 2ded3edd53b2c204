// Several streams of one session are one, whoever comes first.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import {
  type Capture,
  capture,
  captures,
  foldStreams,
  inTurn,
  interleaved,
  ofType,
  PRICES,
  type StreamEvents,
  streamsOf,
} from '../../test/captures.ts';
import { brokenPromises } from '../../test/promises.ts';
import type { AgentStreamEvent, EventOf, EventType, Summary } from '../index.ts';
import { createSession } from './fold.ts';
import type { SessionStream } from './stream.ts';

const recorded = captures.filter(({ transcripts }) => transcripts.length > 0);
/** The same id for two calls of two threads: a mock's doing. In the files nothing tells them apart. */
const isReused = ({ name }: Capture): boolean => name === 'subagent-same-tool-id';

/** What the summary says whatever the order: lists by id, sums without the noise of floating point. */
function settled(summary: Summary): unknown {
  const byId = <T extends { readonly id: string }>(list: readonly T[]): T[] =>
    [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { lines: _, toolCalls, subagents, filesChanged, checkpoints, ...rest } = summary;
  const plain = {
    ...rest,
    toolCalls: byId(toolCalls),
    subagents: byId(subagents),
    files: filesChanged.map(({ path, operation }) => `${operation} ${path}`).sort(),
    checkpoints: [...checkpoints].sort(),
  };
  return JSON.parse(
    JSON.stringify(plain, (_key, value) => (typeof value === 'number' ? Number(value.toFixed(9)) : value)),
  );
}

/** The promises about events hold for a merged session too, but for what is told again because it is known better. */
function brokenIds(events: readonly AgentStreamEvent[]): string[] {
  const ended = new Set<string>();
  const once = events.filter((event) => {
    switch (event.type) {
      case 'message-end':
        return isFirst(event.messageId);
      case 'task-end':
        return isFirst(event.taskId);
      case 'reasoning-end':
        return isFirst(event.blockId);
      case 'tool-call-end':
        return isFirst(event.toolCallId);
      case 'tool-call-update':
        return !ended.has(event.toolCallId) || event.title === undefined;
      default:
        return true;
    }
  });
  function isFirst(id: string): boolean {
    const isNew = !ended.has(id);
    ended.add(id);
    return isNew;
  }
  return brokenPromises(once.map((event, seq) => ({ ...event, seq })));
}

describe.each(recorded)('$name', (one) => {
  const streams = streamsOf(one);
  const first = foldStreams(streams, inTurn(streams), PRICES);

  test('each id comes once, and what starts ends', () => {
    expect(brokenIds(first.events)).toEqual([]);
    const backwards = foldStreams(streams, inTurn(streams, [...streams.keys()].reverse()), PRICES);
    expect(brokenIds(backwards.events)).toEqual([]);
  });

  test('any interleaving tells the same, and the same bill', () => {
    if (isReused(one)) return;
    const expected = settled(first.summary);
    const reversed = inTurn(streams, [...streams.keys()].reverse());
    expect(settled(foldStreams(streams, reversed, PRICES).summary)).toEqual(expected);
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { summary, events } = foldStreams(streams, interleaved(streams, seed), PRICES);
        expect(settled(summary)).toEqual(expected);
        expect(brokenIds(events)).toEqual([]);
      }),
      { numRuns: counts.interleavings },
    );
  });

  test('one stream alone comes through as it is', () => {
    const [stdout] = streams;
    const alone = foldStreams(streams.slice(0, 1), inTurn(streams, [0]));
    // A compaction takes the time of the summary that follows it.
    const plain = ({ from: _, after: __, seq: ___, ...rest }: AgentStreamEvent): object =>
      rest.type === 'compaction-end' ? { ...rest, time: undefined } : rest;
    const isHeld = (event: AgentStreamEvent): boolean => event.synthetic === true;
    const kept = (stdout?.events ?? []).filter((event) => !isHeld(event) && event.type !== 'session-end').map(plain);
    expect(alone.events.filter((event) => !isHeld(event) && event.type !== 'session-end').map(plain)).toEqual(kept);
    expect(plain(alone.events.at(-1) as AgentStreamEvent)).toEqual(plain(stdout?.events.at(-1) as AgentStreamEvent));
  });
});

test('two runs of a session and its file are one session, each run counted once', () => {
  const runs = ['resume-fork.run1', 'resume-fork.run2'].map(capture);
  const streams = [...runs.map((run) => streamsOf(run)[0] as StreamEvents), ...streamsOf(runs[1] as Capture).slice(1)];
  const { summary } = foldStreams(streams, inTurn(streams), PRICES);
  const sum = runs.map((run) => foldStreams(streamsOf(run).slice(0, 1), inTurn(streamsOf(run), [0])).summary);
  expect(summary.usage.inputTokens).toBe(sum.reduce((total, { usage }) => total + (usage.inputTokens ?? 0), 0));
  expect(summary.costUsd).toBeCloseTo(
    sum.reduce((total, { costUsd }) => total + (costUsd ?? 0), 0),
    9,
  );
  expect(summary.usage.state).toBe('reconciled');
  const backwards = foldStreams(streams, inTurn(streams, [2, 1, 0]), PRICES).summary;
  expect(settled(backwards)).toEqual(settled(summary));
});

test("a fork's copied lines count once, with the file they were copied from", () => {
  const streams = streamsOf(capture('resume-fork.run3')).slice(1);
  expect(streams).toHaveLength(2);
  const { summary } = foldStreams(streams, inTurn(streams), PRICES);
  const own = ['run1', 'run2', 'run3'].map((run) => capture(`resume-fork.${run}`).expected.tokens_served_total);
  expect(summary.usage.outputTokens).toBe(own.reduce((sum, { output_tokens = 0 }) => sum + output_tokens, 0));
});

// ── Rules, one by one ─────────────────────────────────────────────────────────────────────────────

const stdout: SessionStream = { id: 'run', source: 'stdout' };
const file: SessionStream = { id: 'file', source: 'transcript' };

type Fields<T extends EventType> = Omit<EventOf<T>, 'type' | 'seq'>;
const event = <T extends EventType>(type: T, fields: Fields<T>): AgentStreamEvent =>
  ({ type, seq: 0, ...fields }) as unknown as AgentStreamEvent;
const start = event('session-start', { agent: 'claude' });
const end = (outcome: EventOf<'session-end'>['outcome'] = 'success'): AgentStreamEvent =>
  event('session-end', { outcome });
const call = (toolCallId: string, time?: number): AgentStreamEvent =>
  event('tool-call-start', { toolCallId, toolName: 'Bash', kind: 'execute', ...(time !== undefined && { time }) });
const done = (toolCallId: string, outcome: 'success' | 'unknown', more: object = {}): AgentStreamEvent =>
  event('tool-call-end', { toolCallId, toolName: 'Bash', outcome, content: [], ...more });

function fold(list: readonly (readonly [SessionStream, AgentStreamEvent])[]): AgentStreamEvent[] {
  const session = createSession();
  return [...list.flatMap(([stream, one]) => session.add(stream, one)), ...session.end()];
}

describe('a run that goes on with a session of which only the file is known', () => {
  const answer = (messageId: string, time: number, inputTokens: number): AgentStreamEvent[] => [
    event('message-start', { messageId, time, model: 'opus' }),
    event('message-end', { messageId, usage: { inputTokens, outputTokens: 1 } }),
  ];
  const before = [
    event('user-message', { content: [], origin: 'prompt', messageId: 'p', time: 1000 }),
    ...answer('a', 1001, 10),
  ].map((one) => [file, one] as const);
  const bill = (run: readonly AgentStreamEvent[]): unknown => {
    const session = createSession();
    for (const [stream, one] of [...before, ...run.map((event) => [stdout, event] as const)]) session.add(stream, one);
    return session.ledger.figures();
  };

  test('its total is of what came since its own prompt, though the prompt is only an echo', () => {
    const figures = bill([
      event('user-message', { content: [], origin: 'replay', messageId: 'q', time: 5000 }),
      ...answer('b', 5001, 3),
      event('turn-end', { turnId: 't', outcome: 'success', usage: { inputTokens: 3, outputTokens: 1 } }),
    ]);
    expect(figures).toMatchObject({ usage: { inputTokens: 13, outputTokens: 2 } });
  });

  test('where it tells no total, its answers count, and those before it', () => {
    const figures = bill([...answer('b', 5001, 3), event('turn-end', { turnId: 't', outcome: 'success' })]);
    expect(figures).toMatchObject({ usage: { inputTokens: 13, outputTokens: 2 }, state: 'known' });
  });
});

test('an end that no line told waits: another stream may know better', () => {
  const closed = done('c', 'unknown', { synthetic: true });
  const known = fold([
    [stdout, start],
    [stdout, call('c')],
    [stdout, closed],
    [stdout, end('unknown')],
    [file, call('c')],
    [file, done('c', 'success')],
    [file, end()],
  ]);
  expect(ofType(known, 'tool-call-end')).toMatchObject([{ outcome: 'success', from: 'file' }]);
  const unknown = fold([
    [stdout, start],
    [stdout, call('c')],
    [stdout, closed],
    [stdout, end('unknown')],
  ]);
  expect(ofType(unknown, 'tool-call-end')).toMatchObject([{ outcome: 'unknown', synthetic: true }]);
});

test('a text that another stream ends gets what its deltas lack, and later deltas are dropped', () => {
  const block = { messageId: 'm', blockId: 'm:0' };
  const events = fold([
    [stdout, start],
    [stdout, event('text-start', block)],
    [stdout, event('text-delta', { ...block, delta: 'one ' })],
    [file, event('text-start', block)],
    [file, event('text-end', { ...block, text: 'one two' })],
    [stdout, event('text-delta', { ...block, delta: 'two' })],
    [stdout, event('text-end', { ...block, text: 'one two' })],
    [stdout, end()],
  ]);
  expect(ofType(events, 'text-delta').map(({ delta }) => delta)).toEqual(['one ', 'two']);
  expect(ofType(events, 'text-end')).toMatchObject([{ text: 'one two', from: 'file' }]);
});

test('a file does not tell a refusal from an interruption: what stdout says of it comes through as well', () => {
  const ended = (outcome: 'denied' | 'cancelled' | 'error'): AgentStreamEvent =>
    event('tool-call-end', { toolCallId: 'c', toolName: 'Bash', outcome, content: [] });
  const outcomes = (first: AgentStreamEvent, second: AgentStreamEvent): unknown[] =>
    ofType(
      fold([
        [stdout, start],
        [file, call('c')],
        [file, first],
        [stdout, second],
        [stdout, end()],
      ]),
      'tool-call-end',
    ).map(({ outcome }) => outcome);
  expect(outcomes(ended('cancelled'), ended('denied'))).toEqual(['cancelled', 'denied']);
  expect(outcomes(ended('error'), ended('denied'))).toEqual(['error']);
});

test('only the stream that began a text makes it grow', () => {
  const block = { messageId: 'm', blockId: 'm:0' };
  const events = fold([
    [stdout, start],
    [stdout, event('text-start', block)],
    [file, event('text-delta', { ...block, delta: 'x' })],
    [stdout, event('text-delta', { ...block, delta: 'y' })],
    [stdout, call('c')],
    [file, event('tool-call-input-delta', { toolCallId: 'c', delta: '{' })],
    [stdout, event('tool-call-input-delta', { toolCallId: 'c', delta: '[' })],
    [stdout, end()],
  ]);
  expect(events.flatMap((one) => ('delta' in one ? [one.delta] : []))).toEqual(['y', '[']);
});

test('the end of an answer is told again only when it knows more', () => {
  const ended = (outputTokens: number, more: object = {}): AgentStreamEvent =>
    event('message-end', { messageId: 'm', usage: { inputTokens: 1, outputTokens }, ...more });
  const events = fold([
    [stdout, start],
    [stdout, event('message-start', { messageId: 'm' })],
    [stdout, ended(1)],
    [file, ended(70, { stopReason: 'end_turn' })],
    [file, ended(70, { stopReason: 'end_turn' })],
    [stdout, ended(2)],
    [file, ended(80)],
    [stdout, end()],
  ]);
  expect(ofType(events, 'message-end').map(({ usage }) => usage?.outputTokens)).toEqual([1, 70, 80]);
});

test('what stdout told about the session no file changes; a file fills in', () => {
  const events = fold([
    [file, event('session-start', { agent: 'claude', model: 'guess' })],
    [stdout, event('session-start', { agent: 'claude', model: 'told' })],
    [file, event('session-update', { model: 'other', title: 'A title' })],
    [file, event('session-update', { model: 'other' })],
    [stdout, event('session-update', { model: 'changed' })],
    [stdout, end()],
  ]);
  expect(ofType(events, 'session-start')).toMatchObject([{ model: 'guess', from: 'file' }]);
  expect(ofType(events, 'session-update')).toMatchObject([
    { model: 'told', from: 'run' },
    { title: 'A title' },
    { model: 'changed' },
  ]);
  expect(ofType(events, 'session-update')[1]).not.toHaveProperty('model');
});

test('a sub-agent that two streams name differently is one', () => {
  const events = fold([
    [stdout, start],
    [stdout, event('task-start', { taskId: 'c', kind: 'agent', toolCallId: 'c' })],
    [stdout, event('message-start', { messageId: 'm1', subagentId: 'c' })],
    [file, event('task-start', { taskId: 'a1b2', kind: 'agent', toolCallId: 'c', background: true })],
    [file, event('message-start', { messageId: 'm2', subagentId: 'a1b2' })],
    [file, event('task-end', { taskId: 'a1b2', outcome: 'success' })],
    [stdout, event('task-end', { taskId: 'c', outcome: 'success' })],
    [stdout, end()],
  ]);
  expect(ofType(events, 'task-start')).toHaveLength(1);
  expect(ofType(events, 'task-update')).toMatchObject([{ taskId: 'c', background: true }]);
  // What stdout says about its end is better than what a file can tell.
  expect(ofType(events, 'task-end')).toMatchObject([
    { taskId: 'c', from: 'file' },
    { taskId: 'c', from: 'run' },
  ]);
  expect(ofType(events, 'message-start').map(({ subagentId }) => subagentId)).toEqual(['c', 'c']);
});

test('a sub-agent of which nobody told the end ended as its call, unless that only launched it', () => {
  const launched = (background: boolean): AgentStreamEvent[] =>
    fold([
      [file, start],
      [file, call('c')],
      [
        { id: 'sub', source: 'transcript' },
        event('task-start', { taskId: 't', kind: 'agent', toolCallId: 'c', background }),
      ],
      [{ id: 'sub', source: 'transcript' }, event('task-end', { taskId: 't', outcome: 'unknown', synthetic: true })],
      [file, done('c', 'success')],
      [file, end()],
    ]);
  expect(ofType(launched(false), 'task-end')).toMatchObject([{ outcome: 'success' }]);
  expect(ofType(launched(true), 'task-end')).toMatchObject([{ outcome: 'unknown' }]);
});

test('whoever was asked gets an answer, also when a file told the refusal before', () => {
  const resolve = (fields: object): AgentStreamEvent =>
    event('permission-resolve', { toolCallId: 'c', decision: 'denied', by: 'user', ...fields });
  const events = fold([
    [stdout, start],
    [file, resolve({})],
    [stdout, event('permission-request', { requestId: 'r', toolCallId: 'c' })],
    [stdout, resolve({ requestId: 'r' })],
    [stdout, end()],
  ]);
  expect(ofType(events, 'permission-resolve').map(({ requestId }) => requestId)).toEqual([undefined, 'r']);
  const late = fold([
    [stdout, start],
    [stdout, event('permission-request', { requestId: 'r', toolCallId: 'c' })],
    [stdout, resolve({ requestId: 'r' })],
    [file, resolve({})],
    [stdout, end()],
  ]);
  expect(ofType(late, 'permission-resolve')).toHaveLength(1);
});

test('an event without a time says after which answer of its own stream it belongs', () => {
  const notice = event('notice', { severity: 'info', title: 'hm' });
  const events = fold([
    [stdout, start],
    [stdout, call('c', 100)],
    [stdout, notice],
    [file, call('d', 500)],
    [stdout, event('notice', { severity: 'info', title: 'so' })],
    [file, event('user-message', { content: [], origin: 'prompt', messageId: 'u', time: 600 })],
    [stdout, end()],
  ]);
  expect(ofType(events, 'notice').map(({ after }) => after)).toEqual([100, 100]);
  expect(ofType(events, 'user-message')).toMatchObject([{ after: 500, time: 600 }]);
  expect(ofType(events, 'tool-call-start')[0]).not.toHaveProperty('after');
});

test('the end is what the last run said; a file is asked where a run stopped without a word and the file goes on', () => {
  const ends = (fileTime: number, runOutcome: 'unknown' | 'error'): unknown =>
    fold([
      [stdout, start],
      [stdout, call('c', 100)],
      [stdout, end(runOutcome)],
      [file, call('d', fileTime)],
      [file, end('success')],
      [
        { id: 'sub', source: 'transcript' },
        event('text-start', { messageId: 'm', blockId: 'b', subagentId: 't', time: 999 }),
      ],
      [{ id: 'sub', source: 'transcript' }, end('unknown')],
    ]).at(-1);
  expect(ends(200, 'unknown')).toMatchObject({ type: 'session-end', outcome: 'success' });
  expect(ends(50, 'unknown')).toMatchObject({ outcome: 'unknown' });
  expect(ends(200, 'error')).toMatchObject({ outcome: 'error' });
});

test('a retry ends with the first word about it, whoever began it', () => {
  const begun = event('retry-start', { attempt: 1, delayMs: 5 });
  const over = event('retry-end', { attempt: 1, outcome: 'success' });
  const events = fold([
    [file, start],
    [file, begun],
    [stdout, begun],
    [stdout, over],
    [file, over],
    [stdout, end()],
  ]);
  expect(events.map(({ type, from }) => `${type} ${from}`)).toEqual([
    'session-start file',
    'retry-start file',
    'retry-end run',
    'session-end run',
  ]);
});

test('a compaction has the time of the summary after it, which both streams have', () => {
  const boundary = (compactionId: string, more: object): AgentStreamEvent =>
    event('compaction-end', { compactionId, outcome: 'success', lineId: 'line', ...more });
  const summary = event('user-message', { messageId: 'u', origin: 'injected', content: [], time: 445 });
  const one = fold([
    [stdout, start],
    [stdout, event('compaction-start', { compactionId: 'a' })],
    [stdout, boundary('a', {})],
    [stdout, summary],
    [file, event('compaction-start', { compactionId: 'line' })],
    [file, boundary('line', { time: 446 })],
    [file, summary],
    [stdout, end()],
  ]);
  expect(ofType(one, 'compaction-end')).toMatchObject([{ compactionId: 'a', time: 445 }]);
  expect(ofType(one, 'compaction-start')).toHaveLength(1);
  const last = fold([
    [file, start],
    [file, event('compaction-start', { compactionId: 'line' })],
    [file, boundary('line', { time: 446 })],
    [file, end()],
  ]);
  expect(last.map(({ type }) => type)).toEqual(['session-start', 'compaction-start', 'compaction-end', 'session-end']);
});

test('a session that was ended ends again only when more has come', () => {
  const session = createSession();
  session.add(stdout, start);
  session.add(stdout, end());
  expect(session.end()).toHaveLength(1);
  expect(session.end()).toEqual([]);
  session.add(file, event('session-update', { title: 'late' }));
  expect(session.end().map(({ type }) => type)).toContain('session-end');
});

test('a session of which nothing is known ends with nothing', () => {
  expect(createSession().end()).toEqual([]);
});
