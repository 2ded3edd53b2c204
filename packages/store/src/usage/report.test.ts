import { describe, expect, test } from 'vitest';
import type { UsageEntry } from '../contract.ts';
import { joinUsage } from './join.ts';
import { namesWithFiles } from './names.ts';
import type { Prices } from './prices.ts';
import { type Grouping, type ReportOptions, reportUsage, type UsageReport } from './report.ts';
import { createZone } from './zone.ts';

const NOW = Date.UTC(2026, 10, 15, 12);
/** A dollar for each token of a model that has a price. */
const prices: Prices = {
  costOf: (model, counts) =>
    model === 'free' || model === null ? undefined : counts.inputTokens + counts.outputTokens,
};

let ids = 0;
function entry(time: string | null, more: Partial<UsageEntry> = {}): UsageEntry {
  return {
    id: `msg_${ids++}`,
    sessionId: 's',
    subagentId: null,
    at: time === null ? null : Date.parse(time),
    model: 'opus',
    project: 'shop',
    inputTokens: 10,
    cacheReadTokens: 4,
    cacheWriteTokens: 3,
    cacheWrite1hTokens: 1,
    outputTokens: 5,
    costUsd: 2,
    messages: 1,
    ...more,
  };
}

function report(entries: readonly UsageEntry[], by: Grouping = 'day', more: Partial<ReportOptions> = {}): UsageReport {
  return reportUsage(entries, { by, zone: createZone('UTC'), prices, now: NOW, ...more });
}
const keys = (made: UsageReport): string[] => made.rows.map(({ key }) => key);

describe('rows', () => {
  const entries = [
    entry('2026-11-02T23:30:00Z', { sessionId: 'b', model: 'haiku', project: 'mill', costUsd: 1 }),
    entry('2026-11-08T10:00:00Z', { sessionId: 'a' }),
    entry('2026-10-31T10:00:00Z', { sessionId: 'a' }),
    entry('2026-11-08T12:00:00Z', { sessionId: 'b', subagentId: 'x' }),
  ];

  test.each<[Grouping, readonly string[]]>([
    ['day', ['2026-10-31', '2026-11-02', '2026-11-08']],
    // A week begins on Monday; the 8th of November 2026 is a Sunday.
    ['week', ['2026-10-26', '2026-11-02']],
    ['month', ['2026-10', '2026-11']],
    ['session', ['a', 'b']],
    ['project', ['shop', 'mill']],
    ['model', ['opus', 'haiku']],
    ['block', ['2026-10-31T10:00:00.000Z', '2026-11-02T23:00:00.000Z', '2026-11-08T10:00:00.000Z']],
  ])('by %s', (by, expected) => {
    const made = report(entries, by);
    expect(keys(made)).toEqual(expected);
    for (const name of [
      'inputTokens',
      'cacheReadTokens',
      'cacheWrite5mTokens',
      'outputTokens',
      'costUsd',
      'messages',
    ] as const)
      expect(made.rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)).toBe(made.totals[name]);
    expect(made.totals).toEqual({
      inputTokens: 40,
      cacheReadTokens: 16,
      cacheWriteTokens: 12,
      cacheWrite5mTokens: 8,
      cacheWrite1hTokens: 4,
      outputTokens: 20,
      cacheShare: 0.4,
      costUsd: 7,
      costState: 'reconciled',
      messages: 4,
    });
  });

  test('without a time, a model or a project are unknown, and none by block', () => {
    const lost = entry(null, { model: null, project: null });
    for (const by of ['day', 'week', 'month', 'project', 'model'] as const)
      expect(keys(report([lost], by))).toEqual(['unknown']);
    expect(report([lost], 'block')).toMatchObject({ rows: [], totals: { messages: 1 } });
    expect(report([lost], 'day', { since: '2026-01-01' }).totals.messages).toBe(0);
  });

  test('are of the days that were asked for, both included, and of the project and the model', () => {
    expect(keys(report(entries, 'day', { since: '2026-11-02', until: '2026-11-02' }))).toEqual(['2026-11-02']);
    expect(keys(report(entries, 'day', { until: '2026-11-02' }))).toEqual(['2026-10-31', '2026-11-02']);
    expect(keys(report(entries, 'day', { project: 'mil' }))).toEqual(['2026-11-02']);
    expect(keys(report(entries, 'model', { model: 'opus' }))).toEqual(['opus']);
  });
});

describe('cost', () => {
  test.each([
    ['reconciled', 2, [entry('2026-11-02T00:00:00Z')]],
    ['estimated', 17, [entry('2026-11-02T00:00:00Z'), entry('2026-11-02T00:00:00Z', { costUsd: null })]],
    ['known', 2, [entry('2026-11-02T00:00:00Z'), entry('2026-11-02T00:00:00Z', { costUsd: null, model: 'free' })]],
    ['unknown', null, [entry('2026-11-02T00:00:00Z', { costUsd: null, model: 'free' })]],
    ['reconciled', 0, []],
  ] as const)('is %s', (costState, costUsd, entries) => {
    expect(report(entries).totals).toMatchObject({ costState, costUsd });
  });

  test('of models without a price is told to be missing', () => {
    const foreign = { costUsd: null, model: 'free' };
    expect(report([entry(null, foreign), entry(null, foreign), entry(null)]).unpriced).toEqual(['free']);
    expect(report([entry(null, { ...foreign, inputTokens: 0, outputTokens: 0 })]).unpriced).toEqual([]);
  });

  test('of a month goes on as it did', () => {
    const made = report([entry('2026-11-02T00:00:00Z', { costUsd: 29 }), entry('2026-10-31T23:59:59Z')]);
    // 14.5 of 30 days have passed.
    expect(made.month?.key).toBe('2026-11');
    expect(made.month?.costUsd).toBe(29);
    expect(made.month?.projectedUsd).toBeCloseTo(60, 9);
    expect(report([entry('2026-10-31T23:59:59Z')]).month).toBeUndefined();
  });
});

describe('a block', () => {
  const at = (...times: readonly string[]): UsageEntry[] => times.map((time) => entry(`2026-11-15T${time}Z`));

  test('begins with the hour of its first message, and is over after five hours or five hours of silence', () => {
    expect(keys(report(at('01:59:00', '06:00:00', '06:00:01'), 'block'))).toEqual([
      '2026-11-15T01:00:00.000Z',
      '2026-11-15T06:00:00.000Z',
    ]);
    // To the millisecond at its end it still belongs to it.
    expect(keys(report(at('01:00:00', '06:00:00'), 'block'))).toEqual(['2026-11-15T01:00:00.000Z']);
  });

  test('that is running has a rate and a projection', () => {
    const [row] = report(at('10:00:00', '10:30:00'), 'block').rows;
    expect(row).toMatchObject({ isActive: true, endsAt: Date.UTC(2026, 10, 15, 15) });
    expect(row?.burnRate).toEqual({
      tokensPerMinute: 1,
      usdPerHour: 8,
      projectedTokens: 30 + 180,
      projectedUsd: 4 + 24,
      minutesLeft: 180,
    });
    expect(report(at('10:00:00'), 'block').rows[0]?.burnRate).toBeUndefined();
    expect(report(at('06:00:00', '06:30:00'), 'block').rows[0]).toMatchObject({ isActive: false });
    // One that is still to come does not run.
    expect(report(at('23:00:00'), 'block').rows[0]).toMatchObject({ isActive: false });
  });
});

describe('sessions that two tell', () => {
  test('count with what tells more, and each answer once over all', () => {
    const [a, b, c] = [entry(null, { id: 'a' }), entry(null, { id: 'b' }), entry(null, { id: 'c', sessionId: 't' })];
    expect(joinUsage([a, b], [a, c]).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(joinUsage([a], [a, b]).map(({ id }) => id)).toEqual(['a', 'b']);
    const copied = { ...a, sessionId: 't' };
    expect(joinUsage([a, b], [copied, c])).toHaveLength(3);
  });
});

describe('what entries do not tell themselves', () => {
  const entries = [
    entry('2026-11-08T10:00:00Z', { id: 'a', costUsd: 3, inputTokens: 10, outputTokens: 5 }),
    entry('2026-11-08T11:00:00Z', { id: 'b', costUsd: 4, subagentId: 'x' }),
    entry('2026-11-08T12:00:00Z', { id: 'c', costUsd: 1, messages: 0 }),
  ];
  const called: Readonly<Record<string, readonly string[]>> = { a: ['Read', 'Bash', 'Read'], b: ['none'], c: [] };

  test('an answer is shared out over its calls, and all of it adds up', () => {
    const made = report(entries, 'tool', { names: ({ id }) => called[id] ?? [] });
    expect(made.rows.map(({ key, costUsd, calls, costState }) => [key, costUsd, calls, costState])).toEqual([
      ['none', 4, 0, 'estimated'],
      ['Read', 2, 2, 'estimated'],
      ['Bash', 1, 1, 'estimated'],
      ['unknown', 1, 0, 'estimated'],
    ]);
    for (const name of ['inputTokens', 'outputTokens', 'cacheReadTokens', 'messages', 'costUsd'] as const)
      expect(made.rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)).toBe(report(entries).totals[name]);
    expect(made.totals.costState).toBe('reconciled');
  });

  test('sub-agents by their kind, the dearest first; what nobody knows is said to be unknown', () => {
    const kept = ({ subagentId }: UsageEntry): readonly string[] => (subagentId === 'x' ? ['Explore'] : []);
    const made = report(entries, 'subagent', { names: namesWithFiles('subagent', kept) });
    expect(made.rows.map(({ key, costUsd }) => [key, costUsd])).toEqual([
      ['Explore', 4],
      ['main', 3],
      ['unknown', 1],
    ]);
  });

  test('an agent that only its files tell of is the one whose files are counted', () => {
    const kept = ({ id }: UsageEntry): readonly string[] => (id === 'a' ? ['codex'] : []);
    expect(keys(report(entries, 'agent', { names: namesWithFiles('agent', kept) }))).toEqual(['claude', 'codex']);
  });
});

test('a day tells what each model had of it', () => {
  const made = report([
    entry('2026-11-08T10:00:00Z', { costUsd: 3 }),
    entry('2026-11-08T11:00:00Z', { model: 'haiku', costUsd: null }),
    entry('2026-11-08T11:00:00Z', { model: 'free', costUsd: null }),
  ]);
  expect(made.rows[0]?.byModel?.map(({ model, costUsd, costState }) => [model, costUsd, costState])).toEqual([
    ['free', null, 'unknown'],
    ['haiku', 15, 'estimated'],
    ['opus', 3, 'reconciled'],
  ]);
  expect(made.rows[0]).toMatchObject({ costUsd: 18, costState: 'known', cacheShare: 0.4 });
});
