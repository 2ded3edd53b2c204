import { describe, expect, test } from 'vitest';
import { event, type Fields, ledgerOf, message, PRICES, usage, usd } from '../../test/ledgers.ts';
import type { AgentStreamEvent, ModelUsage, Usage } from '../event/event.ts';

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

  const next = event('message-start', { messageId: 'next', model: 'opus' });
  const end = (used: Usage | undefined, mainUsage: Usage | undefined, more: Partial<Fields<'turn-end'>> = {}) =>
    event('turn-end', {
      turnId: 't',
      outcome: 'success',
      ...(used && { usage: used }),
      ...(mainUsage && { mainUsage }),
      ...more,
    });

  test('in the background have a share of what both turns cost', () => {
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 0), 'opus', 'a'),
      next,
      turn(usage(60, 0), usage(20, 0), 2),
      turn(usage(40, 0), usage(40, 0), 3),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(40, 0), state: 'reconciled' });
    expect(ledger.subagents().get('a')?.costUsd).toBeCloseTo((5 * 40) / 100, 9);
  });

  test.each<[string, ModelUsage, ModelUsage]>([
    ['first', { ...usage(10, 0), cost: usd(1) }, usage(10, 0)],
    ['second', usage(10, 0), { ...usage(10, 0), cost: usd(1) }],
  ])('in the background have no cost where of their model only the %s turn tells it', (_, first, second) => {
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 0), 'haiku', 'a'),
      next,
      end(usage(40, 0), usage(20, 0), { models: { opus: { ...usage(30, 0), cost: usd(3) }, haiku: first } }),
      end(usage(15, 0), usage(15, 0), { models: { opus: { ...usage(5, 0), cost: usd(1) }, haiku: second } }),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(20, 0), state: 'reconciled' });
    expect(ledger.subagents().get('a')?.costUsd).toBeUndefined();
  });

  test('in the background are singled out where nobody lists models, though the main thread had two', () => {
    const ledger = ledgerOf([
      start('a'),
      next,
      end(usage(60, 0), usage(20, 0), { cost: usd(1) }),
      ...message('m', usage(40, 0), 'haiku'),
      end(usage(40, 0), usage(40, 0), { cost: usd(1) }),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({
      usage: usage(40, 0),
      state: 'reconciled',
      costUsd: undefined,
    });
  });

  test.each<[string, AgentStreamEvent]>([
    ['does not tell the main thread apart', end(usage(60, 0), undefined)],
    ['does not tell the whole', end(undefined, usage(1, 0))],
    [
      'has other models besides',
      end(usage(60, 0), usage(20, 0), {
        models: { opus: usage(58, 0), haiku: usage(1, 0), tiny: usage(1, 0) },
      }),
    ],
  ])('in the background are not singled out where the first turn %s', (_, first) => {
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 0), 'opus', 'a'),
      next,
      first,
      event('message-end', { messageId: 'next', usage: usage(5, 0) }),
      end(usage(100, 0), usage(60, 0), { models: { opus: usage(100, 0) } }),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(10, 0), state: 'known' });
  });

  test('have nothing of a turn before they were started, though the next answer had begun in it', () => {
    const ledger = ledgerOf([next, turn(usage(100, 50), usage(60, 30)), start('a'), turn(usage(9, 9), usage(4, 4))]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(5, 5), state: 'reconciled' });
  });

  test('have all of their messages, also when their start is told again', () => {
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 0), 'opus', 'a'),
      start('a'),
      ...message('2', usage(20, 0), 'opus', 'a'),
      turn(usage(100, 0), usage(60, 0)),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(40, 0), state: 'reconciled' });
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

  test('of two models have a share of the cost of each', () => {
    const models = { opus: { ...usage(60, 0), cost: usd(6) }, haiku: { ...usage(40, 0), cost: usd(4) } };
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 0), 'haiku', 'a'),
      ...message('2', usage(30, 0), 'opus', 'a'),
      end(usage(100, 0), usage(60, 0), { models }),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(40, 0), state: 'reconciled' });
    expect(ledger.subagents().get('a')?.costUsd).toBeCloseTo(1 + 3, 9);
  });

  test('of no model that anybody named have a share of what nobody could name', () => {
    const ledger = ledgerOf([
      start('a'),
      start('b'),
      event('message-start', { messageId: '1', subagentId: 'a' }),
      event('message-end', { messageId: '1', subagentId: 'a', usage: usage(10, 0) }),
      end(usage(100, 0), usage(60, 0), { cost: usd(2) }),
    ]);
    expect(ledger.subagents().get('a')?.costUsd).toBeCloseTo((2 * 10) / 100, 9);
  });

  test('of a model that the total does not list have no cost', () => {
    const ledger = ledgerOf([
      start('a'),
      ...message('1', usage(10, 0), 'haiku', 'a'),
      turn(usage(100, 0), usage(60, 0)),
    ]);
    expect(ledger.subagents().get('a')).toMatchObject({ usage: usage(40, 0), costUsd: undefined });
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
