// The last line of a terminal while a stream goes on: what the agent is at, how far it is, what it has taken so far.

import { type Ledger, markOf, type Progress, showCost } from '@tailrace/core';
import type { Estimate } from './estimate.ts';
import { showCount } from './tokens.ts';
import { showSeconds } from './words.ts';

const BAR = 8;

/** Every figure says how sure it is. `estimate` is asked while nobody has told a cost. */
export function statusText(progress: Progress, ledger: Ledger, elapsedMs: number, estimate?: Estimate): string {
  const { usage, state, costUsd, costState } = ledger.figures();
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  return [
    progress.phase,
    progressText(progress),
    tokens === 0 ? '' : `${markOf(state)}${showCount(tokens)} tokens`,
    costUsd === undefined ? showCost(estimate?.costUsd(ledger) ?? null, 'estimated') : showCost(costUsd, costState),
    showSeconds(elapsedMs),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** A list is measured, everything else is a guess. */
function progressText({ percentage, basis }: Progress): string {
  if (percentage === 0 || percentage === 100) return '';
  if (basis === 'estimated') return `~${percentage} %`;
  const full = Math.round((percentage * BAR) / 100);
  return `${'▓'.repeat(full)}${'░'.repeat(BAR - full)} ${percentage} %`;
}
