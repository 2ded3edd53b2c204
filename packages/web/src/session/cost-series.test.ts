import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costSeries, type Spent, stepsPath, thinOut } from './cost-series.ts';

const spent = (at: number | null, costUsd: number | null, tokens = 10): Spent => ({
  at,
  costUsd,
  inputTokens: tokens,
  outputTokens: 0,
});

test('each point has everything until then', () => {
  expect(costSeries([spent(1, 0.5), spent(2, null), spent(3, 1)])).toEqual([
    { at: 1, costUsd: 0.5, tokens: 10 },
    { at: 2, costUsd: 0.5, tokens: 20 },
    { at: 3, costUsd: 1.5, tokens: 30 },
  ]);
});

test('what has no time is counted all the same', () => {
  expect(costSeries([spent(null, 1), spent(5, 1), spent(null, 1)])).toEqual([{ at: 5, costUsd: 3, tokens: 30 }]);
});

const series = fc.array(
  fc.record({
    at: fc.option(fc.nat(1000)),
    costUsd: fc.option(fc.nat(9)),
    inputTokens: fc.nat(9),
    outputTokens: fc.nat(9),
  }),
);

test('points go up and to the right, and the last has all of it', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 2, max: 20 }), (rows, most) => {
      const points = costSeries(rows);
      const thin = thinOut(points, most);
      expect(thin.length).toBeLessThanOrEqual(most);
      expect(thin.at(-1)).toEqual(points.at(-1));
      thin.forEach((point, index) => {
        const before = thin[index - 1];
        if (before)
          expect(point.at > before.at && point.costUsd >= before.costUsd && point.tokens >= before.tokens).toBe(true);
      });
      if (rows.some(({ at }) => at !== null))
        expect(points.at(-1)?.costUsd).toBe(rows.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0));
    }),
  );
});

test('the path stays in its box', () => {
  const path = stepsPath(costSeries([spent(1, 1), spent(2, 1), spent(5, 2)]), ({ costUsd }) => costUsd, 100, 40);
  expect(path).toBe('M0.0 30.0H25.0V20.0H100.0V0.0');
  expect(stepsPath([], () => 0, 1, 1)).toBe('');
});

test('a night between two days leaves both to be seen', () => {
  const points = costSeries([spent(0, 1), spent(10, 1), spent(20, 1), spent(99_999, 1)]);
  expect(stepsPath(points, ({ costUsd }) => costUsd, 60, 4)).toBe('M0.0 3.0H10.0V2.0H20.0V1.0H60.0V0.0');
});

test('the line begins where the session does, with nothing', () => {
  const spent = [{ at: 2000, inputTokens: 1, outputTokens: 1, costUsd: 0.5 }];
  expect(costSeries(spent, 1000)).toEqual([
    { at: 1000, costUsd: 0, tokens: 0 },
    { at: 2000, costUsd: 0.5, tokens: 2 },
  ]);
  expect(costSeries(spent, 3000)).toHaveLength(1);
  expect(costSeries([], 1000)).toEqual([]);
});
