// Figures of a summary for people. Each says how sure it is: `$0.42` agrees with the agent's own, `~$0.42` is estimated,
// `≥ $0.42` is a lower bound.

import type { FigureState } from '../accounting/figures.ts';

/** A cost in as many digits as it needs; empty where nobody knows it. */
export function showCost(costUsd: number | null, state: FigureState): string {
  if (costUsd === null || state === 'unknown') return '';
  return `${markOf(state)}$${costUsd.toFixed(costUsd === 0 || costUsd >= 1 ? 2 : costUsd >= 0.01 ? 3 : 5)}`;
}

/** What stands before a figure to say how sure it is. */
export function markOf(state: FigureState): string {
  return state === 'estimated' ? '~' : state === 'known' ? '≥ ' : '';
}

/** How long something took; empty where nobody knows it. */
export function showDuration(ms: number | null | undefined): string {
  // Nothing takes no time: the agent's clock was too coarse.
  if (!ms) return '';
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
