import { describe, expect, test } from 'vitest';
import { event, type Fields, ledgerOf, message, PRICES, usage, usd } from '../../test/ledgers.ts';
import type { AgentStreamEvent, Usage } from '../event/event.ts';

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

  test('keep what was told of them when they end again without counts', () => {
    const again = event('message-end', { messageId: 'a' });
    expect(ledgerOf([...message('a', usage(10, 1)), again]).figures().usage).toEqual(usage(10, 1));
    const own = ledgerOf([...message('a', usage(10, 1), 'opus', 'task'), again]);
    expect(own.subagents().get('task')?.usage).toEqual(usage(10, 1));
  });

  test('that are open or took nothing are of no model', () => {
    const open = event('message-start', { messageId: 'open', model: 'haiku' });
    const ledger = ledgerOf([open, ...message('empty', usage(0, 0), 'sonnet'), ...message('a', usage(1, 1))]);
    expect([...ledger.models().keys()]).toEqual(['opus']);
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
    const both = [...message('a', usage(1_000_000, 0)), ...foreign];
    expect(ledgerOf(both, PRICES).figures()).toMatchObject({ costUsd: 4, costState: 'known' });
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

describe('a turn that ends with less than a total', () => {
  const turn = (more: Partial<Fields<'turn-end'>>): AgentStreamEvent =>
    event('turn-end', { turnId: 't', outcome: 'success', ...more });
  const seen = [...message('m', usage(10, 1)), ...message('s', usage(5, 2), 'opus', 'task')];

  test('took what was seen of it, as a lower bound, where it tells only its cost', () => {
    const ledger = ledgerOf([...seen, turn({ cost: usd(2) })]);
    expect(ledger.figures()).toEqual({ usage: usage(15, 3), state: 'known', costUsd: 2, costState: 'reconciled' });
    expect(ledger.main()).toEqual(usage(10, 1));
    const whole = event('turn-end', { turnId: 'u', outcome: 'success', usage: usage(1, 1), cost: usd(1) });
    expect(ledgerOf([...seen, turn({ cost: usd(2) }), whole]).figures()).toMatchObject({
      usage: usage(16, 4),
      state: 'known',
      costUsd: 3,
    });
  });

  test.each([
    ['more than was seen of it', usage(30, 4), usage(35, 6)],
    ['as much input as was seen, and more output', usage(10, 4), usage(15, 6)],
    ['less than was seen of it', usage(3, 1), usage(15, 3)],
  ])("took of the main thread whichever is more, where that thread's part is %s", (_, mainUsage, expected) => {
    expect(ledgerOf([...seen, turn({ mainUsage })]).figures()).toMatchObject({ usage: expected, state: 'known' });
  });

  test('took what it tells of the main thread where nothing was seen', () => {
    expect(ledgerOf([turn({ mainUsage: { outputTokens: 5 } })]).figures()).toMatchObject({
      usage: { outputTokens: 5 },
      state: 'known',
    });
  });

  test('leaves an answer that is open to be counted when it ends', () => {
    const open = event('message-start', { messageId: 'late', model: 'opus' });
    const late = event('message-end', { messageId: 'late', usage: usage(100, 10) });
    const ledger = ledgerOf([...seen, open, turn({ cost: usd(2) }), late]);
    expect(ledger.figures()).toMatchObject({ usage: usage(115, 13), state: 'known', costUsd: 2, costState: 'known' });
  });

  test.each<[string, Partial<Fields<'turn-end'>>]>([
    ['no figures at all', {}],
    ['a cost that nobody told', { cost: usd(2), synthetic: true }],
  ])('leaves its answers to a later total of the session where it has %s', (_, more) => {
    const total = event('usage-update', { scope: 'session', usage: usage(50, 5), since: 0 });
    expect(ledgerOf([...seen, turn(more), total]).figures()).toMatchObject({
      usage: usage(50, 5),
      state: 'reconciled',
      costUsd: undefined,
    });
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
