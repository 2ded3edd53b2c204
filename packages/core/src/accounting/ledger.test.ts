import { describe, expect, test } from 'vitest';
import type { AgentStreamEvent, EventOf, EventType, ModelUsage, Usage } from '../event/event.ts';
import { addUsage, isUsed, subtractUsage } from '../event/usage.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type PriceTable, priceOf } from './prices.ts';

const PRICES: PriceTable = { opus: { input: 4, output: 20, cacheRead: 0.4, cacheWrite: 5, cacheWrite1h: 8 } };

type Fields<T extends EventType> = Omit<EventOf<T>, 'type' | 'seq'>;
const event = <T extends EventType>(type: T, fields: Fields<T>): AgentStreamEvent =>
  ({ type, seq: 0, ...fields }) as unknown as AgentStreamEvent;

const usage = (inputTokens: number, outputTokens: number, cacheReadTokens = 0, cacheWriteTokens = 0): Usage => ({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
});

function ledgerOf(events: readonly AgentStreamEvent[], prices?: PriceTable): Ledger {
  const ledger = createLedger({ prices });
  for (const one of events) ledger.add(one);
  return ledger;
}

const message = (messageId: string, used: Usage, model = 'opus', subagentId?: string): AgentStreamEvent[] => {
  const thread = subagentId === undefined ? {} : { subagentId };
  return [
    event('message-start', { messageId, model, ...thread }),
    event('message-end', { messageId, usage: used, ...thread }),
  ];
};
const usd = (amount: number) => ({ amount, currency: 'USD' });

describe('what usage costs', () => {
  test('five-minute and one-hour cache writes are told apart', () => {
    const price = {
      input: 1_000_000,
      output: 2_000_000,
      cacheRead: 10_000_000,
      cacheWrite: 100_000_000,
      cacheWrite1h: 1_000_000_000,
    };
    const used = {
      inputTokens: 1 + 3 + 5,
      cacheReadTokens: 3,
      cacheWriteTokens: 5,
      cacheWrite1hTokens: 2,
      outputTokens: 7,
    };
    expect(priceOf(used, price)).toBe(1 + 2 * 7 + 10 * 3 + 100 * 3 + 1000 * 2);
  });

  test('counts that were not told cost nothing, and impossible ones do not pay back', () => {
    const price = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6, cacheWrite1h: 1e6 };
    expect(priceOf({}, price)).toBe(0);
    expect(priceOf({ inputTokens: 1, cacheReadTokens: 5 }, price)).toBe(5);
    expect(priceOf({ inputTokens: 5, cacheWriteTokens: 2, cacheWrite1hTokens: 9 }, price)).toBe(5);
  });
});

describe('counts', () => {
  test('add up, and stay unknown where neither side knows', () => {
    expect(addUsage({ inputTokens: 1, cacheReadTokens: 2 }, { inputTokens: 3, outputTokens: 4 })).toEqual({
      inputTokens: 4,
      cacheReadTokens: 2,
      outputTokens: 4,
    });
    const all = {
      inputTokens: 1,
      cacheReadTokens: 2,
      cacheWriteTokens: 3,
      cacheWrite1hTokens: 4,
      outputTokens: 5,
      reasoningTokens: 6,
      totalTokens: 7,
    };
    expect(addUsage(all, all)).toEqual(Object.fromEntries(Object.entries(all).map(([key, value]) => [key, 2 * value])));
    expect(addUsage({}, {})).toEqual({});
  });

  test('are taken from each other only where one contains the other', () => {
    expect(subtractUsage(usage(5, 4), usage(2, 4))).toEqual(usage(3, 0));
    expect(subtractUsage(usage(5, 4), usage(6, 0))).toBeUndefined();
    expect(subtractUsage({ inputTokens: 5 }, { outputTokens: 0 })).toEqual({ inputTokens: 5, outputTokens: 0 });
    expect(subtractUsage({}, {})).toEqual({});
  });

  test('are used when any is above zero', () => {
    expect(isUsed({})).toBe(false);
    expect(isUsed(usage(0, 0))).toBe(false);
    expect(isUsed({ cacheWrite1hTokens: 1 })).toBe(true);
    expect(isUsed({ totalTokens: 1 })).toBe(true);
  });
});

describe('messages', () => {
  test('are each counted once, however often they are told', () => {
    const ledger = ledgerOf([
      ...message('a', usage(10, 1)),
      event('message-end', { messageId: 'a', usage: usage(10, 5) }),
      ...message('b', usage(20, 2)),
    ]);
    expect(ledger.figures()).toEqual({ usage: usage(30, 7), state: 'known', costUsd: undefined, costState: 'unknown' });
    expect(ledger.totals()).toEqual({ usage: usage(30, 7) });
  });

  test('that are open have no usage yet, and one nobody began is no message', () => {
    const ledger = ledgerOf([
      event('message-start', { messageId: 'a' }),
      event('message-end', { messageId: 'b', usage: usage(1, 1) }),
    ]);
    expect(ledger.figures()).toMatchObject({ usage: {}, state: 'unknown' });
    expect(ledger.totals()).toEqual({});
  });

  test('are priced by a table, which makes the cost an estimate', () => {
    const ledger = ledgerOf(message('a', usage(1_000_000, 1_000_000)), PRICES);
    expect(ledger.figures()).toMatchObject({ state: 'known', costUsd: 24, costState: 'estimated' });
    expect(ledger.totals().cost).toEqual({ amount: 24, currency: 'USD', estimated: true });
    expect([...ledger.models()]).toEqual([['opus', { usage: usage(1_000_000, 1_000_000), costUsd: 24 }]]);
  });

  test('whose agent tells what each of them cost are a lower bound, and no estimate', () => {
    const step = event('step-end', { stepId: 'a', cost: usd(0.25) });
    const told = [...message('a', usage(5, 5)), step];
    expect(ledgerOf(told, PRICES).figures()).toMatchObject({ costUsd: 0.25, costState: 'known' });
    expect(ledgerOf(told).totals().cost).toEqual(usd(0.25));
    const both = ledgerOf([...told, ...message('b', usage(1_000_000, 0))], PRICES).figures();
    expect(both).toMatchObject({ costUsd: 4.25, costState: 'estimated' });
  });

  test('that no total covers and nobody counted make the whole a lower bound', () => {
    const first = event('turn-end', { turnId: 't', outcome: 'success', usage: usage(10, 1) });
    const open = event('message-start', { messageId: 'late' });
    const cut = [event('message-start', { messageId: 'a' }), first, open, event('message-end', { messageId: 'late' })];
    expect(ledgerOf(cut).figures()).toMatchObject({ usage: usage(10, 1), state: 'known' });
    expect(ledgerOf(cut.slice(0, 2)).figures()).toMatchObject({ state: 'reconciled' });
    expect(ledgerOf([open]).figures()).toMatchObject({ state: 'unknown' });
  });

  test('of a turn that used nothing have no cost, and do not hide what the others cost', () => {
    const empty = event('turn-end', { turnId: 't', outcome: 'error', usage: usage(0, 0) });
    expect(ledgerOf([empty], PRICES).figures()).toMatchObject({
      state: 'reconciled',
      costUsd: undefined,
      costState: 'unknown',
    });
    const paid = event('turn-end', { turnId: 'u', outcome: 'success', usage: usage(1, 1), cost: usd(3) });
    expect(ledgerOf([empty, paid]).figures()).toMatchObject({ costUsd: 3, costState: 'reconciled' });
  });

  test('of a model with the name of something that every object has are not priced by it', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      const { costUsd, costState } = ledgerOf(message('a', usage(1, 1), name), PRICES).figures();
      expect([costUsd, costState]).toEqual([undefined, 'unknown']);
    }
  });

  test('whose model has no price leave the cost unknown, or known in part', () => {
    const foreign = message('b', usage(5, 5), 'other');
    expect(ledgerOf(foreign, PRICES).figures()).toMatchObject({ costUsd: undefined, costState: 'unknown' });
    const reconciled = event('turn-end', { turnId: 't', outcome: 'success', usage: usage(1, 1), cost: usd(3) });
    expect(ledgerOf([reconciled, ...foreign], PRICES).figures()).toMatchObject({
      costUsd: 3,
      costState: 'known',
      state: 'known',
    });
    expect(ledgerOf(foreign).models().get('other')).toEqual({ usage: usage(5, 5), costUsd: undefined });
    expect([
      ...ledgerOf([
        event('message-start', { messageId: 'x' }),
        event('message-end', { messageId: 'x', usage: usage(1, 0) }),
      ])
        .models()
        .keys(),
    ]).toEqual(['unknown']);
  });
});

describe("the agent's own total", () => {
  const turn = (
    turnId: string,
    used: Usage,
    amount: number,
    more: Partial<Fields<'turn-end'>> = {},
  ): AgentStreamEvent => event('turn-end', { turnId, outcome: 'success', usage: used, cost: usd(amount), ...more });

  test('[G-08] takes the place of the messages it covers, and turns add up', () => {
    const ledger = ledgerOf([
      ...message('a', usage(10, 1)),
      turn('1', usage(12, 40), 0.5, { models: { opus: { ...usage(12, 40), cost: usd(0.5) } } }),
      ...message('b', usage(20, 1)),
      turn('2', usage(20, 30), 0.25, { models: { opus: { ...usage(20, 30), cost: usd(0.25) } } }),
    ]);
    expect(ledger.figures()).toEqual({
      usage: usage(32, 70),
      state: 'reconciled',
      costUsd: 0.75,
      costState: 'reconciled',
    });
    expect(ledger.totals()).toEqual({ usage: usage(32, 70), cost: { amount: 0.75, currency: 'USD' } });
    expect([...ledger.models()]).toEqual([['opus', { usage: usage(32, 70), costUsd: 0.75 }]]);
    expect(ledger.main()).toEqual(usage(32, 70));
  });

  test('covers a message that was open when it came, and not one that began later', () => {
    const ledger = ledgerOf([
      event('message-start', { messageId: 'a', model: 'opus' }),
      turn('1', usage(12, 40), 0.5),
      event('message-end', { messageId: 'a', usage: usage(10, 1) }),
      ...message('b', usage(7, 1)),
    ]);
    expect(ledger.figures()).toMatchObject({ usage: usage(19, 41), state: 'known', costUsd: 0.5, costState: 'known' });
    expect(ledger.main()).toEqual(usage(19, 41));
  });

  test('of a turn that never ended is not there: what was seen since is added as a lower bound', () => {
    const ledger = ledgerOf([
      turn('1', usage(5, 5), 1),
      ...message('b', usage(7, 1)),
      event('turn-end', { turnId: '2', outcome: 'unknown', synthetic: true }),
    ]);
    expect(ledger.figures()).toMatchObject({ usage: usage(12, 6), state: 'known', costUsd: 1, costState: 'known' });
    expect(ledgerOf([turn('1', usage(5, 5), 1), ...message('b', usage(1_000_000, 0))], PRICES).figures()).toMatchObject(
      { costUsd: 5, costState: 'estimated' },
    );
  });

  test('of zero is a total, too', () => {
    expect(ledgerOf([turn('1', usage(0, 0), 0)]).figures()).toEqual({
      usage: usage(0, 0),
      state: 'reconciled',
      costUsd: 0,
      costState: 'reconciled',
    });
    expect(ledgerOf([turn('1', usage(5, 5), 1), ...message('b', usage(0, 0))]).figures().state).toBe('reconciled');
  });

  test('tells the main thread apart where the agent does', () => {
    const ledger = ledgerOf([
      turn('1', usage(50, 50), 1, { mainUsage: usage(20, 20) }),
      ...message('s', usage(3, 3), 'opus', 'task'),
      ...message('m', usage(4, 4)),
    ]);
    expect(ledger.main()).toEqual(usage(24, 24));
  });

  test('leaves the main thread what was seen of it when it tells nobody apart and a sub-agent worked', () => {
    const ledger = ledgerOf([
      ...message('m', usage(10, 1)),
      ...message('s', usage(5, 1), 'opus', 'task'),
      turn('1', usage(50, 50), 1),
    ]);
    expect(ledger.main()).toEqual(usage(10, 1));
  });

  test('without a cost is priced by the table, model by model', () => {
    const models = { opus: usage(1_000_000, 0), other: usage(0, 0) };
    expect(
      ledgerOf(
        [event('turn-end', { turnId: '1', outcome: 'success', usage: usage(1_000_000, 0), models })],
        PRICES,
      ).figures(),
    ).toMatchObject({
      state: 'reconciled',
      costUsd: 4,
      costState: 'estimated',
    });
    const unpriced = { opus: usage(1_000_000, 0), other: usage(1, 0) };
    const mixed = ledgerOf(
      [
        event('turn-end', { turnId: '1', outcome: 'success', usage: usage(1, 1), models: unpriced }),
        turn('2', usage(1, 1), 2),
      ],
      PRICES,
    );
    expect(mixed.figures()).toMatchObject({ costUsd: 6, costState: 'known' });
    expect(
      ledgerOf([
        event('turn-end', { turnId: '1', outcome: 'success', usage: usage(1, 1), models: unpriced }),
      ]).figures(),
    ).toMatchObject({ costUsd: undefined, costState: 'unknown' });
  });

  test('that the agent itself calls an estimate is one', () => {
    const cost = { amount: 1, currency: 'USD', estimated: true };
    expect(
      ledgerOf([event('turn-end', { turnId: '1', outcome: 'success', usage: usage(1, 1), cost })]).figures().costState,
    ).toBe('estimated');
  });

  test('without models belongs to the one model that was seen, or to nobody known', () => {
    const plain = turn('1', usage(5, 5), 1);
    expect([...ledgerOf([...message('a', usage(1, 1)), plain]).models()]).toEqual([
      ['opus', { usage: usage(5, 5), costUsd: 1 }],
    ]);
    expect([
      ...ledgerOf([...message('a', usage(1, 1)), ...message('b', usage(1, 1), 'other'), plain])
        .models()
        .keys(),
    ]).toEqual(['unknown']);
    expect([...ledgerOf([plain]).models().keys()]).toEqual(['unknown']);
  });

  test('a turn without any figures changes nothing', () => {
    const ledger = ledgerOf([...message('a', usage(1, 1)), event('turn-end', { turnId: '1', outcome: 'success' })]);
    expect(ledger.figures()).toMatchObject({ usage: usage(1, 1), state: 'known' });
  });
});

describe('a total of the session', () => {
  const at = (messageId: string, time: number | undefined, used: Usage, subagentId?: string): AgentStreamEvent[] =>
    message(messageId, used, 'opus', subagentId).map((one) =>
      one.type === 'message-start' && time !== undefined ? { ...one, time } : one,
    );
  const total = (
    used: Usage,
    amount: number | undefined,
    more: Partial<Fields<'usage-update'>> = {},
  ): AgentStreamEvent =>
    event('usage-update', {
      scope: 'session',
      usage: used,
      ...(amount !== undefined && { cost: usd(amount) }),
      ...more,
    });

  test('takes the place of everything, messages and turns, when it names no time', () => {
    const ledger = ledgerOf([
      event('turn-end', { turnId: '1', outcome: 'success', usage: usage(100, 100), cost: usd(9) }),
      ...at('a', 5, usage(10, 1)),
      total(usage(50, 5), 2),
    ]);
    expect(ledger.figures()).toEqual({ usage: usage(50, 5), state: 'reconciled', costUsd: 2, costState: 'reconciled' });
    // The turn told nobody apart, so all of it was the main thread's; what was seen since is added.
    expect(ledger.main()).toEqual(usage(110, 101));
  });

  test('takes the place of what was served since the time it names, and of nothing before', () => {
    const events = [
      ...at('old', 10, usage(1, 1)),
      ...at('edge', 20, usage(2, 2)),
      ...at('new', 30, usage(4, 4)),
      ...at('untimed', undefined, usage(8, 8)),
      total(usage(500, 50), 3, { since: 20 }),
    ];
    expect(ledgerOf(events).figures()).toMatchObject({
      usage: usage(501, 51),
      state: 'known',
      costUsd: 3,
      costState: 'known',
    });
    expect(ledgerOf(events).main()).toEqual(usage(15, 15));
    expect(ledgerOf(events, PRICES).figures().costState).toBe('estimated');
  });

  test('takes the place of an earlier one of the same session, and stands beside one of another', () => {
    const again = ledgerOf([
      ...at('a', 30, usage(4, 4)),
      total(usage(50, 5), 1, { since: 20 }),
      ...at('b', 40, usage(6, 6)),
      total(usage(90, 9), 2, { since: 20 }),
    ]);
    expect(again.figures()).toMatchObject({ usage: usage(90, 9), costUsd: 2 });
    expect(again.main()).toEqual(usage(10, 10));
    const earlier = ledgerOf([total(usage(50, 5), 1, { since: 20 }), total(usage(90, 9), 2, { since: 10 })]);
    expect(earlier.figures()).toMatchObject({ usage: usage(90, 9), costUsd: 2 });
    const other = ledgerOf([total(usage(50, 5), 1, { since: 20 }), total(usage(90, 9), 2, { since: 30 })]);
    expect(other.figures()).toMatchObject({ usage: usage(140, 14), costUsd: 3, state: 'reconciled' });
  });

  test('leaves a turn of another stream alone when it names a time', () => {
    const turn = event('turn-end', { turnId: '1', outcome: 'success', usage: usage(7, 7), cost: usd(1) });
    expect(ledgerOf([turn, total(usage(50, 5), 2, { since: 0 })]).figures()).toMatchObject({
      usage: usage(57, 12),
      costUsd: 3,
    });
  });

  test('covers a message that is still open, and not one that begins later', () => {
    const ledger = ledgerOf([
      event('message-start', { messageId: 'a', model: 'opus', time: 5 }),
      total(usage(50, 5), 2, { since: 0 }),
      event('message-end', { messageId: 'a', usage: usage(10, 1) }),
      ...at('b', 6, usage(3, 3)),
    ]);
    expect(ledger.figures()).toMatchObject({ usage: usage(53, 8), state: 'known' });
  });

  test('is only one with the scope of the session, with counts, and told, not guessed', () => {
    const ignored = [
      event('usage-update', { scope: 'turn', usage: usage(9, 9) }),
      event('usage-update', { scope: 'session', cost: usd(1) }),
      event('usage-update', { scope: 'session', usage: usage(9, 9), estimated: true }),
    ];
    for (const one of ignored)
      expect(ledgerOf([...at('a', 1, usage(1, 1)), one]).figures()).toMatchObject({
        usage: usage(1, 1),
        state: 'known',
      });
  });

  test('is priced by the table, by model, where it has no cost', () => {
    const models = { opus: usage(1_000_000, 0), other: { ...usage(5, 5), cost: usd(2) } };
    const ledger = ledgerOf([total(usage(1_000_005, 5), undefined, { models })], PRICES);
    expect(ledger.figures()).toMatchObject({ costUsd: 6, costState: 'estimated' });
    expect([...ledger.models()]).toEqual([
      ['opus', { usage: usage(1_000_000, 0), costUsd: 4 }],
      ['other', { usage: usage(5, 5), costUsd: 2 }],
    ]);
  });

  test('makes the parts of sub-agents exact when all that was seen adds up to it', () => {
    const task = event('task-start', { taskId: 't', kind: 'agent', toolCallId: 'c' });
    const seen = [task, ...at('m', 1, usage(10, 1)), ...at('s', 2, usage(5, 2), 't')];
    expect(
      ledgerOf([...seen, total(usage(15, 3), 1)])
        .subagents()
        .get('t'),
    ).toMatchObject({ usage: usage(5, 2), state: 'reconciled' });
    expect(
      ledgerOf([...seen, total(usage(16, 3), 1)])
        .subagents()
        .get('t')?.state,
    ).toBe('known');
    expect(
      ledgerOf([...seen, total(usage(15, 4), 1)])
        .subagents()
        .get('t')?.state,
    ).toBe('known');
  });
});

describe('the cost of a single message', () => {
  const spent = (stepId: string, amount: number): AgentStreamEvent => event('step-end', { stepId, cost: usd(amount) });

  test('counts where the agent tells it, before any price', () => {
    const ledger = ledgerOf(
      [...message('a', usage(1_000_000, 0)), spent('a', 0.5), ...message('b', usage(1_000_000, 0))],
      PRICES,
    );
    expect(ledger.figures()).toMatchObject({ costUsd: 4.5, costState: 'estimated' });
    expect(ledger.models().get('opus')?.costUsd).toBe(4.5);
  });

  test('is a part of the whole where others have none', () => {
    const ledger = ledgerOf([
      ...message('a', usage(1, 1)),
      spent('a', 0.5),
      spent('x', 9),
      ...message('b', usage(1, 1)),
    ]);
    expect(ledger.figures()).toMatchObject({ costUsd: 0.5, costState: 'known' });
  });

  test('gives way to the total of its turn', () => {
    const turn = event('turn-end', { turnId: '1', outcome: 'success', usage: usage(5, 5), cost: usd(3) });
    expect(ledgerOf([...message('a', usage(1, 1)), spent('a', 0.5), turn]).figures()).toMatchObject({
      costUsd: 3,
      costState: 'reconciled',
    });
  });
});

describe('sub-agents', () => {
  const start = (taskId: string, toolCallId = `call-${taskId}`): AgentStreamEvent =>
    event('task-start', { taskId, kind: 'agent', toolCallId });
  const turn = (used: Usage, mainUsage: Usage, amount = 1, model = 'opus'): AgentStreamEvent =>
    event('turn-end', {
      turnId: 't',
      outcome: 'success',
      usage: used,
      mainUsage,
      cost: usd(amount),
      models: { [model]: { ...used, cost: usd(amount) } },
    });

  test('that worked alone have what the main thread has not, to the token', () => {
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 1), 'opus', 'a'),
      turn(usage(100, 50), usage(60, 30)),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({
      toolCallId: 'call-a',
      usage: usage(40, 20),
      state: 'reconciled',
      costState: 'estimated',
    });
  });

  test('in the background have it when the turn that was begun before is told as well', () => {
    const events = [
      start('a'),
      ...message('1', usage(10, 1), 'opus', 'a'),
      event('message-start', { messageId: 'next', model: 'opus' }),
      turn(usage(100, 50), usage(40, 20), 2),
    ];
    // The main thread is at its next answer, which the whole has already.
    expect(ledgerOf(events).subagents().get('a')).toMatchObject({
      usage: usage(10, 1),
      state: 'known',
      costUsd: undefined,
    });
    const told = [
      ...events,
      event('message-end', { messageId: 'next', usage: usage(30, 1) }),
      turn(usage(0, 0), usage(30, 10), 0),
    ];
    expect(ledgerOf(told).subagents().get('a')).toMatchObject({ usage: usage(30, 20), state: 'reconciled' });
    expect(ledgerOf(told).subagents().get('a')?.costUsd).toBeCloseTo((2 * (30 + 5 * 20)) / (100 + 5 * 50), 9);
    const seenMore = ledgerOf([start('a'), ...message('m', usage(50, 1)), turn(usage(100, 50), usage(40, 20))]);
    expect(seenMore.subagents().get('a')).toMatchObject({ usage: {}, state: 'unknown' });
  });

  test('in the background share the cost of all models of both turns', () => {
    const end = (models: Record<string, ModelUsage>, used: Usage, main: Usage): AgentStreamEvent =>
      event('turn-end', { turnId: 't', outcome: 'success', usage: used, mainUsage: main, models });
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 0), 'haiku', 'a'),
      event('message-start', { messageId: 'next', model: 'opus' }),
      end(
        { opus: { ...usage(30, 0), cost: usd(3) }, haiku: { ...usage(10, 0), cost: usd(1) } },
        usage(40, 0),
        usage(20, 0),
      ),
      end({ opus: { ...usage(5, 0), cost: usd(1) }, haiku: usage(10, 0) }, usage(15, 0), usage(15, 0)),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(20, 0), state: 'reconciled' });
    // Of one of the two nobody told the cost of the second turn: then the whole is not known.
    expect(ledger.subagents().get('a')?.costUsd).toBeUndefined();
  });

  test('that printed nothing have it as well', () => {
    const ledger = ledgerOf([start('a'), turn(usage(100, 50), usage(60, 30))]);
    expect(ledger.subagents().get('a')).toMatchObject({
      usage: usage(40, 20),
      state: 'reconciled',
      costState: 'estimated',
    });
    expect(ledger.subagents().get('a')?.costUsd).toBeCloseTo((40 + 5 * 20) / (100 + 5 * 50), 9);
  });

  test('side by side have a lower bound each, and a share of the cost by weight', () => {
    const ledger = ledgerOf([
      start('a'),
      start('b'),
      ...message('1', usage(10, 2), 'opus', 'a'),
      ...message('2', usage(30, 2), 'opus', 'b'),
      turn(usage(100, 20), usage(50, 10), 2),
    ]);
    const [a, b] = [...ledger.subagents().values()];
    expect(a).toMatchObject({ usage: usage(10, 2), state: 'known', costState: 'estimated' });
    expect(a?.costUsd).toBeCloseTo((2 * (10 + 5 * 2)) / (100 + 5 * 20), 9);
    expect(b?.costUsd).toBeCloseTo((2 * (30 + 5 * 2)) / (100 + 5 * 20), 9);
  });

  test('share by the prices of the table where there is one', () => {
    const ledger = ledgerOf(
      [start('a'), start('b'), ...message('1', usage(10, 0), 'opus', 'a'), turn(usage(10, 2), usage(0, 0), 2)],
      PRICES,
    );
    expect(ledger.subagents().get('a')?.costUsd).toBeCloseTo((2 * 10 * 4) / (10 * 4 + 2 * 20), 9);
  });

  test('are not singled out when something else was served besides', () => {
    const spent = message('1', usage(10, 1), 'opus', 'a');
    const blurred = ledgerOf([
      start('a'),
      ...spent,
      event('compaction-start', { compactionId: 'c' }),
      turn(usage(100, 50), usage(60, 30)),
    ]);
    expect(blurred.subagents().get('a')).toMatchObject({ usage: usage(10, 1), state: 'known' });
    const models = { opus: usage(90, 50), haiku: usage(5, 0), tiny: usage(5, 0) };
    const sideModel = event('turn-end', {
      turnId: 't',
      outcome: 'success',
      usage: usage(100, 50),
      mainUsage: usage(60, 30),
      models,
    });
    expect(
      ledgerOf([start('a'), ...spent, sideModel])
        .subagents()
        .get('a'),
    ).toMatchObject({ state: 'known', costUsd: undefined, costState: 'unknown' });
    const contradicts = turn(usage(100, 50), usage(95, 50));
    expect(
      ledgerOf([start('a'), ...spent, contradicts])
        .subagents()
        .get('a'),
    ).toMatchObject({ usage: usage(10, 1), state: 'known' });
    const noMain = event('turn-end', { turnId: 't', outcome: 'success', usage: usage(100, 50) });
    expect(
      ledgerOf([start('a'), ...spent, noMain])
        .subagents()
        .get('a'),
    ).toMatchObject({ state: 'known' });
  });

  test('of another model than the main thread have all of its cost', () => {
    const models = { opus: { ...usage(60, 30), cost: usd(3) }, haiku: { ...usage(40, 20), cost: usd(1) } };
    const events = [
      start('a'),
      ...message('1', usage(10, 1), 'haiku', 'a'),
      event('turn-end', { turnId: 't', outcome: 'success', usage: usage(100, 50), mainUsage: usage(60, 30), models }),
    ];
    expect(ledgerOf(events).subagents().get('a')).toMatchObject({
      usage: usage(40, 20),
      state: 'reconciled',
      costUsd: 1,
      costState: 'estimated',
    });
    const two = [
      start('a'),
      ...message('1', usage(10, 0), 'haiku', 'a'),
      ...message('2', usage(30, 0), 'opus', 'a'),
      start('b'),
      event('turn-end', {
        turnId: 't',
        outcome: 'success',
        usage: usage(100, 0),
        mainUsage: usage(60, 0),
        models: { opus: { ...usage(60, 0), cost: usd(6) }, haiku: { ...usage(40, 0), cost: usd(4) } },
      }),
    ];
    expect(ledgerOf(two).subagents().get('a')?.costUsd).toBeCloseTo(1 + 3, 9);
  });

  test('whose model has no cost have none', () => {
    const models = { opus: usage(100, 50) };
    const events = [
      start('a'),
      ...message('1', usage(10, 1), 'opus', 'a'),
      event('turn-end', { turnId: 't', outcome: 'success', usage: usage(100, 50), mainUsage: usage(60, 30), models }),
    ];
    expect(ledgerOf(events).subagents().get('a')).toMatchObject({ costUsd: undefined, costState: 'unknown' });
    const free = [start('a'), turn(usage(0, 0), usage(0, 0), 5)];
    expect(ledgerOf(free).subagents().get('a')).toMatchObject({ costUsd: undefined });
  });

  test('that go on over several turns add up', () => {
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 1), 'opus', 'a'),
      turn(usage(100, 50), usage(80, 40)),
      ...message('2', usage(5, 1), 'opus', 'a'),
      turn(usage(20, 10), usage(10, 5)),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(30, 15), state: 'reconciled' });
  });

  test('after a compaction are singled out again in the next turn', () => {
    const ledger = ledgerOf([
      event('compaction-start', { compactionId: 'c' }),
      turn(usage(1, 1), usage(0, 0)),
      start('a'),
      turn(usage(9, 9), usage(4, 4)),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(5, 5), state: 'reconciled' });
  });

  test('of a run without a total are priced by the table', () => {
    const events = [start('a'), ...message('1', usage(1_000_000, 0), 'opus', 'a')];
    expect(ledgerOf(events, PRICES).subagents().get('a')).toMatchObject({ costUsd: 4, costState: 'estimated' });
    expect(ledgerOf(events).subagents().get('a')).toMatchObject({ costUsd: undefined, costState: 'unknown' });
  });

  test('are agents: a command in the background is none', () => {
    expect(ledgerOf([event('task-start', { taskId: 'x', kind: 'command' })]).subagents().size).toBe(0);
    expect(
      ledgerOf([start('a')])
        .subagents()
        .get('a'),
    ).toMatchObject({ usage: {}, state: 'unknown', costState: 'unknown' });
  });
});

describe('tools', () => {
  const call = (toolCallId: string, toolName: string, tags?: readonly 'subagent'[]): AgentStreamEvent =>
    event('tool-call-start', { toolCallId, toolName, kind: 'other', ...(tags && { tags }) });
  const end = (
    toolCallId: string,
    toolName: string,
    outcome: 'success' | 'error',
    durationMs?: number,
  ): AgentStreamEvent =>
    event('tool-call-end', {
      toolCallId,
      toolName,
      outcome,
      content: [],
      ...(durationMs !== undefined && { durationMs }),
    });

  test('have their calls, failures and time, and what their sub-agents used', () => {
    const ledger = ledgerOf([
      call('1', 'Bash'),
      end('1', 'Bash', 'success', 5),
      call('2', 'Bash'),
      end('2', 'Bash', 'error', 7),
      call('3', 'Agent', ['subagent']),
      event('task-start', { taskId: 'a', kind: 'agent', toolCallId: '3' }),
      ...message('m', usage(10, 1), 'opus', 'a'),
      event('task-start', { taskId: 'b', kind: 'agent', toolCallId: '3' }),
      ...message('n', usage(5, 1), 'opus', 'b'),
      event('task-start', { taskId: 'c', kind: 'agent' }),
      ...message('o', usage(1, 1), 'opus', 'c'),
      end('3', 'Agent', 'success'),
    ]);
    expect(Object.fromEntries(ledger.tools())).toEqual({
      Bash: { calls: 2, failed: 1, durationMs: 12, usage: {} },
      Agent: { calls: 1, failed: 0, durationMs: 0, usage: usage(15, 2) },
    });
  });
});
