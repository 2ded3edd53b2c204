import { describe, expect, test } from 'vitest';
import { event, type Fields, ledgerOf, message, PRICES, usage, usd } from '../../test/ledgers.ts';
import type { AgentStreamEvent, Usage } from '../event/event.ts';

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
