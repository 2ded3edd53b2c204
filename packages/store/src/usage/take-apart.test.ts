import { describe, expect, test } from 'vitest';
import type { UsageEntry } from '../contract.ts';
import { countOnce } from './count-once.ts';
import { joinUsage } from './join.ts';

interface Given {
  readonly input?: number;
  readonly output?: number;
  readonly cost?: number | null;
  readonly at?: number;
  readonly isRest?: boolean;
}

function entry(
  sessionId: string,
  id: string,
  { input = 0, output = 0, cost = null, at = 1, isRest }: Given,
): UsageEntry {
  return {
    id,
    sessionId,
    subagentId: null,
    at,
    model: 'm',
    project: null,
    inputTokens: input,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: output,
    costUsd: cost,
    messages: isRest ? 0 : 1,
  };
}

/** `[input, output, cost]` of each session. */
function sums(entries: readonly UsageEntry[]): Record<string, readonly number[]> {
  const all: Record<string, number[]> = {};
  for (const { sessionId, inputTokens, outputTokens, costUsd } of entries) {
    const [input = 0, output = 0, cost = 0] = all[sessionId] ?? [];
    all[sessionId] = [input + inputTokens, output + outputTokens, Number((cost + (costUsd ?? 0)).toFixed(9))];
  }
  return all;
}

const first = [
  entry('a', 'x', { input: 10, output: 5, cost: 3 }),
  entry('a', 'y', { input: 10, output: 5, cost: 1, at: 2 }),
];
/** One total of 7, shared out otherwise than the first session tells. */
const fork = [
  entry('b', 'x', { input: 10, output: 5, cost: 2 }),
  entry('b', 'y', { input: 10, output: 5, cost: 2.5, at: 2 }),
  entry('b', 'z', { input: 20, output: 5, cost: 2.5, at: 3 }),
];

describe('a fork', () => {
  test.each([
    ['after', [first, fork]],
    ['before', [fork, first]],
  ])('costs what its total has beyond the other’s: told %s it', (_, sessions) => {
    expect(sums(countOnce(sessions))).toEqual({ a: [20, 10, 4], b: [20, 5, 3] });
  });

  test('is the same from the files, from what is kept, and from both', () => {
    const both = countOnce([first, fork]);
    for (const joined of [joinUsage(both, both), joinUsage(first, both), joinUsage(fork, first), joinUsage(both, fork)])
      expect(sums(joined)).toEqual({ a: [20, 10, 4], b: [20, 5, 3] });
  });

  test('knows how an answer ended: that is no rest any more', () => {
    const run = [
      entry('a', 'x', { input: 10, output: 1, cost: 1 }),
      entry('a', 'rest of a', { output: 8, cost: 2, at: 2, isRest: true }),
    ];
    expect(sums(countOnce([run, fork]))).toEqual({ a: [10, 9, 3], b: [30, 10, 5] });
    expect(countOnce([run, fork]).find(({ id }) => id === 'rest of a')).toMatchObject({ outputTokens: 4, costUsd: 1 });
  });

  test('has of a rest that both tell what is beyond the other’s', () => {
    const rest = (session: string, given: Given) => entry(session, 'rest', { ...given, at: 5, isRest: true });
    const sessions = [
      [...first, rest('a', { output: 4, cost: 1 })],
      [...fork, rest('b', { output: 6, cost: 1.5 })],
    ];
    expect(sums(countOnce(sessions))).toMatchObject({ a: [20, 14, 5], b: [20, 7, 3.5] });
    const once = countOnce(sessions);
    expect(sums(joinUsage(once, once))).toEqual(sums(once));
  });

  test('costs what it tells where the totals do not contain each other', () => {
    const dear = first.map((one) => ({ ...one, costUsd: 50 }));
    expect(sums(countOnce([dear, fork]))).toEqual({ a: [20, 10, 100], b: [20, 5, 2.5] });
    const untold = fork.map((one) => (one.id === 'z' ? one : { ...one, costUsd: null }));
    expect(sums(countOnce([first, untold]))).toEqual({ a: [20, 10, 4], b: [20, 5, 2.5] });
  });
});
