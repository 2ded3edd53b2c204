// Figures for people. Every one says how sure it is: `$0.42` agrees with the agent's own, `~$0.42` is estimated, `≥ $0.42` is a lower bound.

import type { Usage } from '@tailrace/core';

export function showCost(costUsd: number | null, state: string): string {
  if (costUsd === null || state === 'unknown') return 'unknown';
  return `${markOf(state)}$${costUsd.toFixed(costUsd === 0 || costUsd >= 1 ? 2 : costUsd >= 0.01 ? 3 : 5)}`;
}

function markOf(state: string): string {
  return state === 'estimated' ? '~' : state === 'known' ? '≥ ' : '';
}

export function showTokens(usage: Usage & { readonly state?: string }): string {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return 'unknown';
  const mark = markOf(usage.state ?? '');
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

export function showDuration(ms: number | null | undefined): string {
  // Nothing takes no time: the agent's clock was too coarse.
  if (!ms) return '';
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}

/** A time as it is everywhere in the world; empty for one that is none. */
export function showTime(time: number | null | undefined): string {
  if (time === null || time === undefined || !(Math.abs(time) < 8.64e15)) return '';
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function plural(count: number, noun: string): string {
  return `${showCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
