// The five-hour block that is being used up now: how fast, and what it will have come to at its end.

import { useUsage } from '@tailrace/client/react';
import { shortCount } from '@tailrace/client/timeline';
import { showDuration } from '@tailrace/core';
import { type ReactElement, useMemo } from 'react';
import { Cost, Time } from '../ui/figures.tsx';
import { dateOf, dayName } from './usage-search.ts';

/** Nothing while no block is open. */
export function RunningBlock({ today }: { readonly today: string }): ReactElement | null {
  const since = useMemo(() => {
    const date = dateOf(today);
    date.setDate(date.getDate() - 1);
    return dayName(date);
  }, [today]);
  const { usage } = useUsage({ by: 'block', since });
  const block = usage?.rows.find(({ isActive }) => isActive);
  if (!block) return null;
  const { costUsd, costState, burnRate, endsAt } = block;
  return (
    <section aria-label="The five-hour block" className="rounded-md border border-line bg-raised px-4 py-3 text-sm">
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <span className="font-medium">
          Five-hour block: {costUsd === null ? 'cost not known' : <Cost usd={costUsd} state={costState} />}
        </span>
        <span className="text-muted">
          since <Time at={Date.parse(block.key)} />
        </span>
        {burnRate && (
          <>
            <span className="figures">
              {burnRate.usdPerHour !== null && (
                <>
                  <Cost usd={burnRate.usdPerHour} state="estimated" /> an hour,{' '}
                </>
              )}
              {shortCount(Math.round(burnRate.tokensPerMinute))} tokens a minute
            </span>
            {burnRate.projectedUsd !== null && endsAt !== undefined && (
              <span>
                <Cost usd={burnRate.projectedUsd} state="estimated" /> when it ends at <Time at={endsAt} />
              </span>
            )}
            <span className="text-muted">{showDuration(burnRate.minutesLeft * 60_000)} left</span>
          </>
        )}
      </p>
    </section>
  );
}
