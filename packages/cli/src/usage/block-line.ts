// The running five-hour window in one line.

import { showCost, showDuration } from '@tailrace/core';
import type { UsageRow } from '@tailrace/store';

/** `block until 19:00 · $3.40 · 5200 tokens/min · $2.10/h · $8.90 at its end, in 2h 10m`. */
export function describeBlock(row: UsageRow): string {
  const { burnRate: rate, endsAt } = row;
  const parts = [
    endsAt === undefined ? 'block' : `block until ${clock(endsAt)}`,
    showCost(row.costUsd, row.costState) || 'no price',
    ...(rate ? [`${Math.round(rate.tokensPerMinute)} tokens/min`] : []),
    ...(rate && rate.usdPerHour !== null ? [`${showCost(rate.usdPerHour, 'estimated')}/h`] : []),
    ...(rate && rate.projectedUsd !== null
      ? [`${showCost(rate.projectedUsd, 'estimated')} at its end, in ${showDuration(rate.minutesLeft * 60_000)}`]
      : []),
  ];
  return parts.join(' · ');
}

/** A time of the day on the person's own clock. */
function clock(time: number): string {
  const date = new Date(time);
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}
