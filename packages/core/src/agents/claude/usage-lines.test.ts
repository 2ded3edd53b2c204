// What a line tells about the bill without the translator, and what the status bar is told.

import { describe, expect, test } from 'vitest';
import { captures, decodeAll, ofType } from '../../../test/captures.ts';
import { claude } from './index.ts';
import { usageLines } from './usage-lines.ts';

const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 };
const answer = (more: object = {}, message: object = {}): object => ({
  type: 'assistant',
  isSidechain: false,
  uuid: 'line',
  timestamp: '2026-11-15T10:00:00.000Z',
  sessionId: 's',
  cwd: '/p',
  message: { id: 'msg', model: 'opus', usage, ...message },
  ...more,
});

test('the agent offers it', () => expect(claude.transcripts?.usage).toBe(usageLines));

describe('an answer', () => {
  test('has its id, its time, its model and its usage', () => {
    expect(usageLines.read(answer())).toEqual({
      kind: 'answer',
      id: 'msg',
      sessionId: 's',
      cwd: '/p',
      time: Date.UTC(2026, 10, 15, 10),
      model: 'opus',
      subagentId: undefined,
      usage: { inputTokens: 8, cacheReadTokens: 3, cacheWriteTokens: 4, outputTokens: 2 },
      costUsd: undefined,
    });
  });

  test('of a sub-agent is told apart, in every layout', () => {
    expect(usageLines.read(answer({ isSidechain: true, agentId: 'a1' }))).toMatchObject({ subagentId: 'a1' });
    expect(usageLines.read(answer({ isSidechain: true }))).toMatchObject({ subagentId: 'sidechain' });
  });

  test('without an id has that of its line, and an old one its own cost', () => {
    expect(usageLines.read(answer({ costUSD: 0.5 }, { id: undefined }))).toMatchObject({ id: 'line', costUsd: 0.5 });
  });

  test.each([
    ['what the CLI says itself', answer({}, { model: '<synthetic>' })],
    ['one without usage', answer({}, { usage: undefined })],
    ['one without any id', answer({ uuid: undefined }, { id: 7 })],
    ['one that is no message', answer({ message: 'words' })],
    ['a line of another kind', { ...answer(), type: 'user' }],
    ['a total without models', { type: 'cost-state', modelUsage: 7 }],
    ['no object', 7],
    ['nothing', undefined],
  ])('is not %s', (_, line) => expect(usageLines.read(line)).toBeUndefined());
});

test('a total has everything since a time, by model', () => {
  const line = {
    type: 'cost-state',
    sessionId: 's',
    startTime: 5,
    totalCostUSD: 2,
    modelUsage: {
      opus: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 4, costUSD: 2 },
    },
  };
  expect(usageLines.read(line)).toMatchObject({ kind: 'total', since: 5, costUsd: 2, usage: { inputTokens: 8 } });
});

test.each([
  ['a text', { inputTokens: '1' }],
  ['less than nothing', { outputTokens: -1 }],
  ['nothing that is known', 7],
])('a total with %s for a count is none: the answers tell more', (_, opus) => {
  expect(usageLines.read({ type: 'cost-state', startTime: 5, totalCostUSD: 2, modelUsage: { opus } })).toBeUndefined();
});

test('a total that says that it has no price for something is no whole cost', () => {
  const modelUsage = { opus: { inputTokens: 1, costUSD: 2 }, local: { inputTokens: 9, costUSD: 0 } };
  const line = { type: 'cost-state', startTime: 5, totalCostUSD: 2, hasUnknownModelCost: true, modelUsage };
  expect(usageLines.read(line)).toMatchObject({
    costUsd: undefined,
    models: { opus: { cost: { amount: 2 } }, local: expect.not.objectContaining({ cost: expect.anything() }) },
  });
});

test('only answers and results of tools have a time that a total is measured by', () => {
  const result = {
    type: 'user',
    timestamp: '2026-11-15T10:00:00.000Z',
    message: { content: [{ type: 'tool_result' }] },
  };
  expect(usageLines.timeOf(answer())).toBe(Date.UTC(2026, 10, 15, 10));
  expect(usageLines.timeOf(result)).toBe(Date.UTC(2026, 10, 15, 10));
  for (const other of [{ ...result, message: { content: 'words' } }, { ...result, type: 'attachment' }, 7])
    expect(usageLines.timeOf(other)).toBeUndefined();
});

describe.each(captures.flatMap(({ name, transcripts }) => transcripts.map((one) => ({ name, ...one }))))(
  '$name, $path',
  ({ bytes, about }) => {
    const lines = Buffer.from(bytes).toString().split('\n');

    test('every line that counts has a mark', () => {
      for (const line of lines) {
        if (Object.values(usageLines.marks).some((mark) => line.includes(mark))) continue;
        expect(line === '' ? undefined : usageLines.read(JSON.parse(line))).toBeUndefined();
      }
    });

    test('the same answers are seen as by the translator', () => {
      const ends = ofType(decodeAll([bytes], { agent: 'claude', about }), 'message-end').filter((event) => event.usage);
      const seen = new Map<string, unknown>();
      for (const line of lines) {
        const sighting = line === '' ? undefined : usageLines.read(JSON.parse(line));
        if (sighting?.kind === 'answer') seen.set(sighting.id, sighting.usage);
      }
      expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(ends.map((event) => [event.messageId, event.usage])));
    });
  },
);

describe('the status bar', () => {
  const read = usageLines.readStatus ?? (() => undefined);

  test('is told about the session, the model, the cost and the context', () => {
    const payload = {
      session_id: 's',
      model: { id: 'opus', display_name: 'Opus' },
      cost: { total_cost_usd: 0.5 },
      context_window: { context_window_size: 200_000, used_percentage: 50, current_usage: usage },
    };
    expect(read(payload)).toEqual({
      sessionId: 's',
      model: 'Opus',
      costUsd: 0.5,
      contextUsed: 8,
      contextSize: 200_000,
    });
    const older = { ...payload, context_window: { context_window_size: 200_000, used_percentage: 50 } };
    expect(read(older)).toMatchObject({ contextUsed: 100_000 });
  });

  test('may be told nothing, or nonsense', () => {
    const nothing = {
      sessionId: undefined,
      model: undefined,
      costUsd: undefined,
      contextUsed: undefined,
      contextSize: undefined,
    };
    expect(read({})).toEqual(nothing);
    expect(read({ session_id: 7, model: 'x', cost: { total_cost_usd: -1 }, context_window: [] })).toEqual(nothing);
    for (const other of [undefined, null, 7, 'x', []]) expect(read(other)).toBeUndefined();
  });
});
