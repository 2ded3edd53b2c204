import { describe, expect, test } from 'vitest';
import { priceOf } from './prices.ts';

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
