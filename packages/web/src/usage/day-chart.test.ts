import type { UsageLine } from '@tailrace/protocol';
import { describe, expect, test } from 'vitest';
import { dayChart, stacked } from './day-chart.ts';
import { heatDays } from './heat-days.ts';

function day(key: string, costs: Readonly<Record<string, number | null>>): UsageLine {
  const byModel = Object.entries(costs).map(([model, costUsd]) => ({
    model,
    costUsd,
    costState: costUsd === null ? ('unknown' as const) : ('reconciled' as const),
    inputTokens: 1,
    outputTokens: 1,
  }));
  return {
    key,
    models: Object.keys(costs),
    firstAt: null,
    lastAt: null,
    inputTokens: 1,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: 1,
    cacheShare: 0,
    costUsd: Object.values(costs).reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    costState: 'reconciled',
    messages: 1,
    byModel,
  };
}

describe('the chart', () => {
  test('has every day of the period, and the dearest model at the bottom', () => {
    const rows = [
      day('2026-10-31', { opus: 1 }),
      day('2026-11-02', { opus: 1, haiku: 5 }),
      day('unknown', { opus: 9 }),
    ];
    const chart = dayChart(rows, '2026-10-31', '2026-11-03');
    expect(chart.days).toEqual(['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03']);
    expect(chart.series).toEqual([
      { name: 'haiku', values: [0, 0, 5, 0] },
      { name: 'opus', values: [1, 0, 1, 0] },
    ]);
    expect(stacked(chart.series)).toEqual([
      [0, 0, 5, 0],
      [1, 0, 6, 0],
    ]);
  });

  test('puts the cheapest of many models together, and loses nothing', () => {
    const rows = [day('2026-11-02', { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: null })];
    const { series } = dayChart(rows, undefined, undefined);
    expect(series.map(({ name, values }) => [name, values[0]])).toEqual([
      ['f', 6],
      ['e', 5],
      ['d', 4],
      ['c', 3],
      ['others', 3],
    ]);
  });

  test('of nothing is nothing', () => {
    expect(dayChart([], undefined, undefined)).toEqual({ days: [], series: [] });
  });
});

test('the days of a year stand in weeks from Monday, the darker the dearer', () => {
  const rows = [day('2026-11-08', { opus: 16 }), day('2026-11-09', { opus: 1 }), day('2026-11-11', { opus: 0 })];
  expect(heatDays(rows, '2026-11-07', '2026-11-11').map(({ row: _, ...rest }) => rest)).toEqual([
    { day: '2026-11-07', column: 0, line: 5, level: 0 },
    { day: '2026-11-08', column: 0, line: 6, level: 4 },
    { day: '2026-11-09', column: 1, line: 0, level: 1 },
    { day: '2026-11-10', column: 1, line: 1, level: 0 },
    { day: '2026-11-11', column: 1, line: 2, level: 1 },
  ]);
});
