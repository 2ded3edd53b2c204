// The bill of a stream taken apart: whose each part is, when it was, and under which name it is found again.

import { describe, expect, test } from 'vitest';
import { costOf, sumOf } from '../../test/bill.ts';
import { event, type Fields, ledgerOf, message, PRICES, usage, usd } from '../../test/ledgers.ts';
import type { AgentStreamEvent, Usage } from '../event/event.ts';
import type { LedgerEntry } from './entries.ts';
import { createLedger, createSpanLedger, type SpanLedger } from './ledger.ts';

const turn = (turnId: string, used: Usage, more: Partial<Fields<'turn-end'>> = {}): AgentStreamEvent =>
  event('turn-end', { turnId, outcome: 'success', usage: used, ...more });
const total = (used: Usage, more: Partial<Fields<'usage-update'>> = {}): AgentStreamEvent =>
  event('usage-update', { scope: 'session', usage: used, ...more });
const start = (messageId: string, more: Partial<Fields<'message-start'>> = {}): AgentStreamEvent =>
  event('message-start', { messageId, model: 'opus', ...more });
const end = (messageId: string, used?: Usage): AgentStreamEvent =>
  event('message-end', { messageId, ...(used && { usage: used }) });

const entriesOf = (events: readonly AgentStreamEvent[]): readonly LedgerEntry[] => ledgerOf(events).entries();
const idsOf = (events: readonly AgentStreamEvent[]): string[] => entriesOf(events).map(({ id }) => id);
const restOf = (events: readonly AgentStreamEvent[]): LedgerEntry | undefined =>
  entriesOf(events).find(({ isRest }) => isRest);

describe('the entries of a bill', () => {
  test('are its answers, and what only a total tells', () => {
    const ledger = ledgerOf(
      [
        start('a', { time: 3 }),
        end('a', usage(10, 1)),
        start('b', { time: 4, subagentId: 's' }),
        end('b', usage(20, 2)),
        turn('t', usage(40, 3), { time: 6, sessionId: 'one', cost: usd(11) }),
        start('c', { time: 7 }),
        end('c', usage(1_000_000, 0)),
      ],
      PRICES,
    );
    const entries = ledger.entries();
    expect(entries).toMatchObject([
      { id: 'a', time: 3, model: 'opus', subagentId: undefined, usage: usage(10, 1), isRest: false },
      { id: 'b', time: 4, model: 'opus', subagentId: 's', usage: usage(20, 2), isRest: false },
      { id: 'rest opus one t 6', time: 6, model: 'opus', usage: usage(10, 0), isRest: true },
      { id: 'c', time: 7, model: 'opus', usage: usage(1_000_000, 0), costUsd: 4, isRest: false },
    ]);
    expect(sumOf(entries)).toEqual({ inputTokens: 1_000_040, outputTokens: 3 });
    expect(costOf(entries)).toBeCloseTo(ledger.figures().costUsd ?? 0, 9);
  });

  test('are none where nothing was served, or nobody has told what', () => {
    expect(entriesOf([])).toEqual([]);
    expect(entriesOf([start('open'), start('empty'), end('empty', usage(0, 0))])).toEqual([]);
  });

  test('have no cost where the bill has none, though a part of it could be priced', () => {
    const models = { opus: usage(1_000_000, 0), other: usage(1, 0) };
    const ledger = ledgerOf([turn('t', usage(1_000_001, 0), { models })], PRICES);
    expect(ledger.figures().costUsd).toBeUndefined();
    expect(ledger.entries().map(({ model, costUsd }) => [model, costUsd])).toEqual([
      ['opus', undefined],
      ['other', undefined],
    ]);
  });

  test('have the cost that the agent tells of each answer as their share', () => {
    const step = (stepId: string, amount: number): AgentStreamEvent => event('step-end', { stepId, cost: usd(amount) });
    const answers = [...message('a', usage(5, 0)), step('a', 3), ...message('b', usage(5, 0)), step('b', 1)];
    expect(entriesOf(answers).map(({ costUsd }) => costUsd)).toEqual([3, 1]);
    const whole = turn('t', usage(10, 0), { cost: usd(8) });
    expect(entriesOf([...answers, whole]).map(({ costUsd }) => costUsd)).toEqual([6, 2]);
  });

  test('are the totals alone where answers are not to be kept', () => {
    const ledger = createSpanLedger({ keepAnswers: false });
    for (const one of [...message('a', usage(10, 1)), turn('t', usage(10, 1), { time: 6 })]) ledger.add(one);
    for (const one of message('b', usage(5, 5))) ledger.add(one);
    expect(ledger.entries()).toMatchObject([
      { id: 'rest opus  t 6', usage: usage(10, 1), isRest: true },
      { id: 'b', usage: usage(5, 5), isRest: false },
    ]);
    expect(
      ledger
        .snapshot()()
        .totals.map(({ answers }) => answers),
    ).toEqual([[]]);
    const keeping = createLedger({ keepAnswers: true });
    for (const one of [...message('a', usage(10, 1)), turn('t', usage(10, 1))]) keeping.add(one);
    expect(keeping.entries().map(({ id }) => id)).toEqual(['a']);
  });
});

describe('an answer', () => {
  const whole: readonly [string, AgentStreamEvent][] = [
    ['a turn', turn('t', usage(50, 5), { time: 9 })],
    ['a session', total(usage(50, 5), { time: 9, since: 0 })],
  ];

  test.each(whole)('that was open at the end of %s is an entry of it when it ends', (_, settled) => {
    const entries = entriesOf([start('a'), settled, end('a', usage(20, 1))]);
    expect(entries.map((entry) => [entry.isRest ? 'rest' : entry.id, entry.usage])).toEqual([
      ['a', usage(20, 1)],
      ['rest', usage(30, 4)],
    ]);
  });

  test.each(whole)('that was told before the end of %s is not told again after it', (_, settled) => {
    const ledger = ledgerOf([
      event('task-start', { taskId: 's', kind: 'agent' }),
      ...message('a', usage(20, 1), 'opus', 's'),
      settled,
      end('a', usage(30, 2)),
    ]);
    expect(ledger.entries().find(({ id }) => id === 'a')?.usage).toEqual(usage(20, 1));
    expect(ledger.subagents().get('s')?.usage).toEqual(usage(20, 1));
  });

  test('that was open when a turn ended without a total is an entry of its own when it ends', () => {
    const events = [
      ...message('a', usage(10, 1)),
      start('b'),
      event('turn-end', { turnId: 't', outcome: 'success', cost: usd(1) }),
      end('b', usage(5, 5)),
    ];
    expect(entriesOf(events).map(({ id, usage: used, costUsd }) => [id, used, costUsd])).toEqual([
      ['a', usage(10, 1), 1],
      ['b', usage(5, 5), undefined],
    ]);
  });

  test('of an earlier total of the session is one of the later, which takes its place', () => {
    const events = [
      ...message('a', usage(10, 1)),
      total(usage(10, 1), { since: 20 }),
      ...message('b', usage(5, 5)),
      total(usage(15, 6), { since: 20 }),
    ];
    expect(idsOf(events)).toEqual(['a', 'b']);
  });

  test('has the time that it began, else that of its first whole block, else when it arrived', () => {
    const block = (type: 'text-end' | 'reasoning-end', time?: number): AgentStreamEvent =>
      event(type, { messageId: 'a', blockId: 'x', text: '', ...(time !== undefined && { time }) });
    const timeOf = (...events: readonly AgentStreamEvent[]): number | undefined =>
      entriesOf([...events, end('a', usage(1, 1))])[0]?.time;
    for (const type of ['text-end', 'reasoning-end'] as const) {
      expect(timeOf(start('a', { time: 2, at: 9 }), block(type, 5))).toBe(2);
      expect(timeOf(start('a', { at: 9 }), block(type), block(type, 5), block(type, 7))).toBe(5);
      expect(timeOf(block(type, 5), start('a', { at: 9 }), block(type))).toBe(9);
    }
    expect(timeOf(start('a', { at: 9 }))).toBe(9);
    expect(timeOf(start('a'))).toBeUndefined();
  });
});

describe('a rest', () => {
  const more = usage(5, 5);

  test('has the time of its total, else the latest that was seen, else when it arrived', () => {
    const seen = [start('a', { time: 8 }), start('b', { time: 4 })];
    expect(restOf([...seen, turn('t', more, { time: 6, at: 20 })])?.time).toBe(6);
    expect(restOf([...seen, turn('t', more, { at: 20 })])?.time).toBe(8);
    expect(restOf([start('a'), turn('t', more, { at: 20 })])?.time).toBe(20);
    expect(restOf([turn('t', more)])?.time).toBeUndefined();
  });

  test.each<[string, AgentStreamEvent, string]>([
    ['of a turn is known by its session, turn and time', turn('t', more, { sessionId: 's', time: 6 }), 's t 6'],
    ['of a turn without a time is known by when it arrived', turn('t', more, { sessionId: 's', at: 7 }), 's t 7'],
    ['of a turn of which nothing more is told is known by the turn', turn('t', more), ' t 0'],
    [
      'of a session is known by since when it counts, wherever it is told',
      total(more, { sessionId: 's', since: 3, time: 6 }),
      '3',
    ],
    [
      'of a session since nobody knows when is known by when it was told',
      total(more, { sessionId: 's', time: 6 }),
      's session 6',
    ],
  ])('%s', (_, settled, key) => {
    expect(restOf([settled])?.id).toBe(`rest unknown ${key}`);
  });

  test('of a turn without a time is known by the latest that was seen', () => {
    expect(restOf([start('a', { time: 8 }), start('b', { time: 4 }), turn('t', more, { at: 20 })])?.id).toBe(
      'rest opus  t 8',
    );
  });

  test('is of the one model that its answers name, also where some name none', () => {
    const nameless = [event('message-start', { messageId: 'n' }), end('n', usage(1, 1))];
    expect(restOf([...nameless, ...message('a', usage(1, 1)), turn('t', more)])?.model).toBe('opus');
    expect(restOf([...nameless, turn('t', more)])?.model).toBe('unknown');
  });
});

describe('the spans of a ledger', () => {
  const spanned = (events: readonly AgentStreamEvent[]): SpanLedger => {
    const ledger = createSpanLedger();
    for (const one of events) ledger.add(one);
    return ledger;
  };

  test('are its totals with their answers, and the answers that none covers and somebody counted', () => {
    const ledger = spanned([
      ...message('a', usage(10, 1)),
      turn('t', usage(12, 1), { time: 6, cost: usd(2) }),
      ...message('b', usage(5, 5)),
      start('open'),
    ]);
    expect(ledger.snapshot()()).toMatchObject({
      totals: [
        {
          key: ' t 6',
          time: 6,
          usage: usage(12, 1),
          models: [['opus', { usage: usage(12, 1), costUsd: 2 }]],
          costUsd: 2,
          answers: [{ id: 'a', usage: usage(10, 1) }],
        },
      ],
      open: [{ id: 'b', usage: usage(5, 5) }],
    });
    expect(ledger.snapshot()().open).toHaveLength(1);
  });

  test('stay those of the moment when they were asked for', () => {
    const ledger = spanned([
      ...message('a', usage(10, 1)),
      turn('t', usage(10, 1), { cost: usd(2) }),
      ...message('b', usage(5, 5)),
    ]);
    const then = ledger.snapshot();
    for (const one of [turn('u', usage(5, 5), { cost: usd(1) }), ...message('c', usage(1, 1))]) ledger.add(one);
    expect(then().totals.map(({ key }) => key)).toEqual([' t 0']);
    expect(then().open.map(({ id }) => id)).toEqual(['b']);
    expect(
      ledger
        .snapshot()()
        .totals.map(({ key }) => key),
    ).toEqual([' t 0', ' u 0']);
    expect(
      ledger
        .snapshot()()
        .open.map(({ id }) => id),
    ).toEqual(['c']);
  });
});

test('a look at a ledger stays as it was when an answer goes on', () => {
  const ledger = createSpanLedger();
  for (const one of [start('a'), end('a', usage(10, 1))]) ledger.add(one);
  const then = ledger.snapshot();
  ledger.add(end('a', usage(30, 2)));
  expect(then().open).toMatchObject([{ id: 'a', usage: usage(10, 1) }]);
});
