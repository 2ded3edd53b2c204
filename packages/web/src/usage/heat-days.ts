// A year of days in columns of weeks, each with how much it was of the dearest.

import type { UsageLine } from '@tailrace/protocol';
import { daysBetween } from './day-chart.ts';
import { dateOf } from './usage-search.ts';

export interface HeatDay {
  readonly day: string;
  readonly row: UsageLine | undefined;
  /** The week from the left, and the day in it from Monday. */
  readonly column: number;
  readonly line: number;
  /** 0 for nothing, 1 to 4. */
  readonly level: number;
}

const LEVELS = 4;

export function heatDays(rows: readonly UsageLine[], first: string, last: string): readonly HeatDay[] {
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const most = Math.max(0, ...rows.map(({ costUsd }) => costUsd ?? 0));
  const begin = weekday(first);
  return daysBetween(first, last).map((day, index) => {
    const row = byDay.get(day);
    const place = begin + index;
    return { day, row, column: Math.floor(place / 7), line: place % 7, level: levelOf(row, most) };
  });
}

/** A few dear days would leave all others pale: the steps are those of the root. */
function levelOf(row: UsageLine | undefined, most: number): number {
  if (!row || row.messages === 0) return 0;
  return Math.max(1, Math.ceil(LEVELS * Math.sqrt((row.costUsd ?? 0) / Math.max(most, Number.MIN_VALUE))));
}

/** From Monday. */
function weekday(day: string): number {
  return (dateOf(day).getDay() + 6) % 7;
}
