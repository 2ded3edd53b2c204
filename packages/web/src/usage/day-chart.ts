// Rows by day → what a chart of stacked bars draws: every day of the period, one series for each model.

import type { UsageLine } from '@tailrace/protocol';
import { dateOf, dayName } from './usage-search.ts';

/** More would not be told apart by their colours: what cost least goes together. */
const MOST_SERIES = 5;
const OTHERS = 'others';
const UNKNOWN = 'unknown';

export interface DaySeries {
  readonly name: string;
  /** Of each day, in USD. */
  readonly values: readonly number[];
}

export interface DayChart {
  readonly days: readonly string[];
  /** The dearest first: it stands at the bottom. */
  readonly series: readonly DaySeries[];
}

/** Days without any use are days too. What has no day is not drawn. */
export function dayChart(rows: readonly UsageLine[], since: string | undefined, until: string | undefined): DayChart {
  const dated = rows.filter(({ key }) => key !== UNKNOWN);
  const days = daysBetween(since ?? dated[0]?.key, until ?? dated.at(-1)?.key);
  const places = new Map(days.map((day, index) => [day, index]));
  const names = dearest(dated);
  const values = new Map(names.map((name) => [name, days.map(() => 0)]));
  for (const { key, byModel = [] } of dated) {
    const place = places.get(key);
    if (place === undefined) continue;
    for (const { model, costUsd } of byModel) {
      const own = values.get(model) ?? values.get(OTHERS);
      if (own) own[place] = (own[place] ?? 0) + (costUsd ?? 0);
    }
  }
  return { days, series: names.map((name) => ({ name, values: values.get(name) ?? [] })) };
}

/** Each series on top of those before it. */
export function stacked(series: readonly DaySeries[]): readonly (readonly number[])[] {
  let below: readonly number[] = [];
  return series.map(({ values }) => {
    below = values.map((value, index) => value + (below[index] ?? 0));
    return below;
  });
}

function dearest(rows: readonly UsageLine[]): readonly string[] {
  const costs = new Map<string, number>();
  for (const { byModel = [] } of rows)
    for (const { model, costUsd } of byModel) costs.set(model, (costs.get(model) ?? 0) + (costUsd ?? 0));
  const names = [...costs].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return names.length <= MOST_SERIES ? names : [...names.slice(0, MOST_SERIES - 1), OTHERS];
}

/** All days from one to another, both included. */
export function daysBetween(first: string | undefined, last: string | undefined): readonly string[] {
  if (first === undefined || last === undefined) return [];
  const days: string[] = [];
  for (const date = dateOf(first); dayName(date) <= last; date.setDate(date.getDate() + 1)) days.push(dayName(date));
  return days;
}
