import { describe, expect, test } from 'vitest';
import {
  type Capture,
  capture,
  decodeAll,
  decodeMessages,
  foldStreams,
  inTurn,
  streamsOf,
  summarize,
} from '../../test/captures.ts';
import type { AgentStreamEvent, EventOf, EventType } from '../event/event.ts';
import { createSummary } from './summary.ts';

const of = (name: string) => summarize(decodeAll([capture(name).bytes]));
const event = <T extends EventType>(type: T, fields: Omit<EventOf<T>, 'type' | 'seq'>): AgentStreamEvent =>
  ({ type, seq: 0, ...fields }) as unknown as AgentStreamEvent;

test('[G-01] tells a whole run', () => {
  const { bytes } = capture('tools-read-edit');
  expect(summarize(decodeAll([bytes]), 8)).toMatchObject({
    agent: 'claude',
    agentVersion: '2.1.325',
    model: 'claude-opus-5-5',
    cwd: '/home/dev/project',
    outcome: 'success',
    stopReason: 'end_turn',
    error: null,
    turns: 1,
    filesChanged: [{ path: 'greet.js', operation: 'modify' }],
    lines: { total: 8, notJson: 0, unknown: 0 },
  });
});

test('of nothing is a summary all the same', () => {
  expect(summarize(decodeAll([]))).toMatchObject({
    agent: null,
    outcome: 'incomplete',
    text: null,
    turns: 0,
    usage: { state: 'unknown' },
    costUsd: null,
    costState: 'unknown',
    toolCalls: [],
    durationMs: null,
  });
  expect(createSummary().summary(0)).toMatchObject({ agent: null, outcome: 'incomplete', sessionId: null });
});

describe('text', () => {
  const start = (blockId: string, subagentId?: string) =>
    event('text-start', { messageId: 'm', blockId, ...(subagentId && { subagentId }) });
  const end = (blockId: string, text: string, more: object = {}) =>
    event('text-end', { messageId: 'm', blockId, text, ...more });
  const text = (...events: AgentStreamEvent[]) => summarize(events).text;

  test('is the last whole block of the main thread', () => {
    expect(text(start('a'), end('a', 'one'), start('b'), end('b', 'two'))).toBe('two');
    expect(text(start('a'), end('a', 'one'), start('s', 'sub'), end('s', 'sub', { subagentId: 'sub' }))).toBe('one');
    expect(text(start('a'), end('a', 'one'), start('b'))).toBeNull();
    expect(text(start('a'), end('a', 'one'), start('b'), end('b', 'ha', { partial: true }))).toBeNull();
  });

  test('is not what was taken back', () => {
    const before = [start('a'), end('a', 'one'), start('b'), end('b', 'two')];
    expect(text(...before, event('message-retract', { blockIds: ['b'], reason: 'r' }))).toBe('one');
    expect(text(...before, event('message-retract', { messageIds: ['m'], reason: 'r' }))).toBeNull();
    expect(text(...before, event('message-retract', { messageIds: ['other'], reason: 'r' }))).toBe('two');
  });

  test('outlives its turn', () => {
    expect(text(start('a'), end('a', 'one'), event('turn-end', { turnId: 't', outcome: 'success' }))).toBe('one');
  });
});

describe('outcome', () => {
  test('is that of the last turn', () => {
    expect(of('control-interrupt')).toMatchObject({ outcome: 'success', turns: 2, error: null });
    expect(of('api-error-400')).toMatchObject({
      outcome: 'error',
      stopReason: 'error',
      error: { code: 'invalid_request' },
      text: null,
    });
    expect(of('max-turns')).toMatchObject({ outcome: 'error', stopReason: 'max_turn_requests' });
    expect(of('sigterm')).toMatchObject({ outcome: 'incomplete', stopReason: null });
    expect(of('resume-missing')).toMatchObject({ outcome: 'error', turns: 1, models: {} });
  });

  test('a denied session is no outcome anybody knows', () => {
    expect(summarize([event('session-end', { outcome: 'denied' })]).outcome).toBe('incomplete');
  });
});

test('duration is that of the turns, else of the lines, else of their arrival', () => {
  expect(of('stdin-multiturn').durationMs).toBe(
    capture('stdin-multiturn')
      .messages.filter(({ type }) => type === 'result')
      .reduce((sum, { duration_ms }) => sum + duration_ms, 0),
  );
  expect(
    summarize([
      event('notice', { severity: 'info', title: 't', time: 5, at: 1 }),
      event('notice', { severity: 'info', title: 't', time: 2, at: 9 }),
    ]).durationMs,
  ).toBe(3);
  expect(
    summarize([
      event('notice', { severity: 'info', title: 't', at: 1 }),
      event('notice', { severity: 'info', title: 't', at: 9 }),
    ]).durationMs,
  ).toBe(8);
});

test('a file is named once, by its path from the working directory', () => {
  const change = (path: string, operation: 'add' | 'modify' | 'delete', outcome: 'success' | 'error' = 'success') =>
    event('file-change', { changes: [{ path, operation }], outcome });
  const { filesChanged } = summarize([
    event('session-start', { agent: 'x', cwd: '/p' }),
    change('/p/a', 'add'),
    change('a', 'modify'),
    change('/other/b', 'modify'),
    change('c', 'modify', 'error'),
    change('d', 'add'),
    change('d', 'delete'),
  ]);
  expect(filesChanged).toEqual([
    { path: 'a', operation: 'add' },
    { path: '/other/b', operation: 'modify' },
    { path: 'd', operation: 'delete' },
  ]);
});

test('counts what was denied, tried again, compacted and could not be read', () => {
  const denied = (fields: object) => event('permission-resolve', { decision: 'denied', by: 'user', ...fields });
  const raw = (reason: EventOf<'raw'>['reason'], nativeType?: string) =>
    event('raw', { reason, ...(nativeType && { nativeType }) });
  const summary = summarize(
    [
      denied({ toolCallId: 'a' }),
      denied({ toolCallId: 'a', requestId: 'r' }),
      denied({ requestId: 'b' }),
      denied({ line: 7 }),
      event('permission-resolve', { decision: 'allowed', by: 'user', toolCallId: 'z' }),
      event('retry-start', { attempt: 1 }),
      event('retry-start', { attempt: 2 }),
      event('compaction-end', { compactionId: 'c', outcome: 'success' }),
      event('compaction-end', { compactionId: 'd', outcome: 'unknown' }),
      ...(['not_json', 'too_long', 'too_deep', 'cut_off', 'spliced', 'no_counterpart'] as const).map((reason) =>
        raw(reason),
      ),
      raw('unknown_type', 'x'),
      raw('unknown_type'),
      raw('unknown_block', 'x'),
    ],
    42,
  );
  expect(summary).toMatchObject({ permissionDenials: 3, retries: 2, compactions: 1 });
  expect(summary.lines).toEqual({
    total: 42,
    notJson: 1,
    tooLong: 1,
    tooDeep: 1,
    cutOff: 1,
    spliced: 1,
    unknown: 3,
    unknownTypes: { x: 2, none: 1 },
  });
});

test('an end without its start is no call and no sub-agent', () => {
  const summary = summarize([
    event('tool-call-end', { toolCallId: 'x', toolName: 'T', outcome: 'success', content: [] }),
    event('task-end', { taskId: 't', outcome: 'success' }),
  ]);
  expect(summary.toolCalls).toEqual([]);
  expect(summary.subagents).toEqual([]);
});

test('the one sub-agent of a turn has its tokens to the last', () => {
  const { subagents, usage, mainUsage } = of('subagent');
  expect(subagents).toMatchObject([
    {
      type: 'general-purpose',
      outcome: 'success',
      parentId: null,
      usage: { inputTokens: 212 + 862 + 801, outputTokens: 54, state: 'reconciled' },
      costState: 'estimated',
    },
  ]);
  expect(usage).toMatchObject({ inputTokens: 742 + 2482 + 2301, outputTokens: 136 });
  expect(mainUsage).toMatchObject({ inputTokens: 530 + 1620 + 1500, outputTokens: 82 });
});

test('after a budget stop the main thread has what was spent, though its own figure is zero', () => {
  expect(of('max-budget').mainUsage).toMatchObject({ inputTokens: 5000 + 9000, outputTokens: 2000 });
});

test('prices make a cost for a run that tells none', () => {
  const fold = createSummary({
    prices: { opus: { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5, cacheWrite1h: 8 } },
  });
  const message = { id: 'm', model: 'opus', content: [], usage: { input_tokens: 1_000_000, output_tokens: 0 } };
  for (const one of decodeMessages([{ type: 'assistant', message, session_id: 's' }])) fold.add(one);
  expect(fold.summary(1)).toMatchObject({ costUsd: 4, costState: 'estimated', usage: { state: 'known' } });
});

/** The first lines of a run, with all its files. */
function killed(name: string, lines: number): Capture {
  const whole = capture(name);
  const text = Buffer.from(whole.bytes).toString('utf8').split('\n').slice(0, lines).join('\n');
  return { ...whole, bytes: Buffer.from(`${text}\n`) };
}

describe('turns', () => {
  test('of a run that broke off count where its file has them, whoever comes first', () => {
    const streams = streamsOf(killed('subagents-two', 5));
    const backwards = [...streams.keys()].reverse();
    expect(foldStreams(streams, inTurn(streams)).summary.turns).toBe(1);
    expect(foldStreams(streams, inTurn(streams, backwards)).summary.turns).toBe(1);
    expect(foldStreams(streams, inTurn(streams, [1, 2, 3])).summary.turns).toBe(1);
    // Nobody has seen a result.
    expect(foldStreams(streams, inTurn(streams, [0])).summary.turns).toBe(0);
  });

  test('of a run that came before count beside those of one that broke off', () => {
    const [first] = streamsOf(capture('resume-fork.run1'));
    const [second, file] = streamsOf(killed('resume-fork.run2', 2));
    const streams = [first, second, file].flatMap((one) => one ?? []);
    expect(streams.length).toBe(3);
    expect(foldStreams(streams, inTurn(streams)).summary.turns).toBe(2);
    expect(foldStreams(streams, inTurn(streams, [2, 1, 0])).summary.turns).toBe(2);
    expect(foldStreams(streams, inTurn(streams, [0, 1])).summary.turns).toBe(1);
  });
});
