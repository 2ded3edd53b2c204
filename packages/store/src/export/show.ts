// Counts and times for people who read at leisure.

import { type FigureState, markOf, type Usage } from '@tailrace/core';

export function showTokens(usage: Usage & { readonly state?: FigureState }): string {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return 'unknown';
  const mark = markOf(usage.state ?? 'reconciled');
  const cached = usage.cacheReadTokens ? `, ${showCount(usage.cacheReadTokens)} of it from the cache` : '';
  return `${mark}${showCount(usage.inputTokens ?? 0)} in${cached}; ${mark}${showCount(usage.outputTokens ?? 0)} out`;
}

/** In groups of three digits. */
function showCount(count: number): string {
  let rest = String(Math.round(count));
  let shown = '';
  for (; rest.length > 3; rest = rest.slice(0, -3)) shown = `\u202f${rest.slice(-3)}${shown}`;
  return rest + shown;
}

/** A time as it is everywhere in the world; empty for one that is none. */
export function showTime(time: number | null | undefined): string {
  if (time === null || time === undefined || !(Math.abs(time) < 8.64e15)) return '';
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function plural(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
