// Figures for people. Every one says how sure it is: `$0.42` agrees with the agent's own, `~$0.42` is estimated,
// `≥ $0.42` is a lower bound.

import type { FigureState, Usage } from '@tailrace/core';

export function showCost(costUsd: number | null, state: FigureState): string {
  if (costUsd === null || state === 'unknown') return '';
  const amount = `$${costUsd.toFixed(costUsd === 0 || costUsd >= 1 ? 2 : costUsd >= 0.01 ? 3 : 5)}`;
  return mark(state) + amount;
}

function mark(state: FigureState): string {
  return state === 'estimated' ? '~' : state === 'known' ? '≥ ' : '';
}

export function showTokens(usage: Usage & { readonly state?: FigureState }): string {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return '';
  const input = usage.inputTokens ?? 0;
  const cached = input > 0 ? Math.round((100 * (usage.cacheReadTokens ?? 0)) / input) : 0;
  const share = cached > 0 ? ` (${cached} % cached)` : '';
  return `${mark(usage.state ?? 'reconciled')}${showCount(input)} in${share} · ${showCount(usage.outputTokens ?? 0)} out`;
}

function showCount(count: number): string {
  if (count < 10_000) return `${count}`;
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
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
