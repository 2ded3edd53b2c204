import { describe, expect, test } from 'vitest';
import { usage } from '../../test/ledgers.ts';
import { addUsage, isUsed, subtractUsage } from './usage.ts';

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
