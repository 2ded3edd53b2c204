// What was used and what it cost: of a period at a glance, then by day, then by whatever was asked for. All figures are the server's.

import { useUsage } from '@tailrace/client/react';
import { shortCount } from '@tailrace/client/timeline';
import { showCost } from '@tailrace/core';
import type { UsageAnswer } from '@tailrace/protocol';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { useTitle } from '../shell/title.ts';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { Cost } from '../ui/figures.tsx';
import { Empty, Loading, Trouble } from '../ui/states.tsx';
import { BreakdownSection } from './breakdown.tsx';
import { dayChart } from './day-chart.ts';
import { FigureTable, showShare } from './figure-table.tsx';
import { heatDays } from './heat-days.ts';
import { HeatMap } from './heat-map.tsx';
import { RunningBlock } from './running-block.tsx';
import { StackedBars, seriesColour } from './stacked-bars.tsx';
import {
  type Days,
  dayName,
  daysOf,
  PERIODS,
  type Period,
  periodName,
  type UsageSearch,
  yearAgo,
} from './usage-search.ts';
import { WithTable } from './with-table.tsx';

const route = getRouteApi('/usage');

export function UsagePage(): ReactElement {
  const search = route.useSearch();
  const { span: period = 'month', rows: by = 'project' } = search;
  const navigate = useNavigate();
  useTitle('Usage');
  const today = dayName(new Date());
  const days = useMemo(() => daysOf(period, new Date(`${today}T12:00:00`)), [period, today]);
  const { usage, error, refresh } = useUsage({ by: 'day', ...days });
  const onSearch = (change: UsageSearch): void =>
    void navigate({ to: '/usage', search: { ...search, ...change }, replace: true });

  return (
    <main className="mx-auto flex max-w-[1080px] flex-col gap-8 px-4 py-6">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <h1 className="text-lg font-semibold">Usage</h1>
        <Periods period={period} onChange={(next) => onSearch({ span: next === 'month' ? undefined : next })} />
      </div>
      {usage === null ? (
        error ? (
          <Trouble title="The figures cannot be shown" action={<Button onClick={refresh}>Try again</Button>}>
            {error.message}
          </Trouble>
        ) : (
          <Loading label="Adding up" />
        )
      ) : (
        <>
          <AtAGlance usage={usage} period={period} />
          <RunningBlock today={today} />
          {usage.rows.length === 0 ? (
            <Empty title="Nothing was used" action={<LookFurther period={period} onChange={onSearch} />}>
              In {periodName(period, new Date())} no agent answered anything.
            </Empty>
          ) : (
            <>
              <ByDay usage={usage} days={days} today={today} />
              <BreakdownSection
                by={by}
                days={days}
                onBy={(next) => onSearch({ rows: next === 'project' ? undefined : next })}
              />
            </>
          )}
          <Year today={today} />
          <Notes usage={usage} />
        </>
      )}
    </main>
  );
}

const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  month: 'This month',
  'last-month': 'Last month',
  '30-days': '30 days',
  year: '12 months',
  all: 'All the time',
};

interface PeriodsProps {
  readonly period: Period;
  readonly onChange: (period: Period) => void;
}

function Periods({ period, onChange }: PeriodsProps): ReactElement {
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Period</legend>
      {PERIODS.map((one) => (
        <Button
          key={one}
          size="sm"
          kind={one === period ? 'plain' : 'quiet'}
          aria-pressed={one === period}
          onClick={() => onChange(one)}
        >
          {PERIOD_LABELS[one]}
        </Button>
      ))}
    </fieldset>
  );
}

interface LookFurtherProps {
  readonly period: Period;
  readonly onChange: (change: UsageSearch) => void;
}

function LookFurther({ period, onChange }: LookFurtherProps): ReactElement | null {
  if (period === 'all') return null;
  return <Button onClick={() => onChange({ span: 'all' })}>Show all the time</Button>;
}

/** The answer first: what it cost, and what it will. */
function AtAGlance({ usage, period }: { readonly usage: UsageAnswer; readonly period: Period }): ReactElement {
  const { totals, month } = usage;
  return (
    <section aria-label="At a glance" className="flex flex-wrap items-end gap-x-10 gap-y-4">
      <div>
        <p className="text-sm text-muted first-letter:uppercase">{periodName(period, new Date())}</p>
        <p className="text-[40px] leading-tight font-semibold tracking-tight">
          {totals.costUsd === null ? 'not known' : <Cost usd={totals.costUsd} state={totals.costState} />}
        </p>
        {period === 'month' && month && (
          <p className="text-sm text-muted">
            <Cost usd={month.projectedUsd} state="estimated" /> by the end of the month at this pace
          </p>
        )}
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <Fact
          name="Input"
          value={shortCount(totals.inputTokens)}
          more={`${totals.inputTokens.toLocaleString()} tokens`}
        />
        <Fact name="Of it cached" value={showShare(totals.cacheShare)} more="input that came out of a cache" />
        <Fact
          name="Output"
          value={shortCount(totals.outputTokens)}
          more={`${totals.outputTokens.toLocaleString()} tokens`}
        />
        <Fact name="Messages" value={totals.messages.toLocaleString()} more="answers of a model" />
      </dl>
    </section>
  );
}

function Fact({
  name,
  value,
  more,
}: {
  readonly name: string;
  readonly value: string;
  readonly more: string;
}): ReactElement {
  return (
    <div title={more}>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="figures text-lg">{value}</dd>
    </div>
  );
}

interface ByDayProps {
  readonly usage: UsageAnswer;
  readonly days: Days;
  readonly today: string;
}

function ByDay({ usage, days: { since, until }, today }: ByDayProps): ReactElement {
  const chart = useMemo(() => dayChart(usage.rows, since, until ?? today), [usage, since, until, today]);
  const { costUsd, costState } = usage.totals;
  const label = `Cost by day and model: ${showCost(costUsd, costState) || 'not known'} in all, on ${usage.rows.length} days`;
  return (
    <WithTable
      title="By day"
      aside={
        <ul className="flex flex-wrap gap-x-4 text-xs text-muted" aria-label="Models">
          {chart.series.map(({ name }, index) => (
            <li key={name} className="flex items-center gap-1.5">
              <span className="size-2.5 rounded-sm" style={{ background: seriesColour(index) }} aria-hidden="true" />
              <PlainText text={name === 'unknown' ? 'not known' : name} />
            </li>
          ))}
        </ul>
      }
      chart={<StackedBars chart={chart} label={label} />}
      table={<FigureTable caption={label} usage={usage} />}
    />
  );
}

/** Twelve months, whatever the period. */
function Year({ today }: { readonly today: string }): ReactElement | null {
  const first = useMemo(() => dayName(yearAgo(new Date(`${today}T12:00:00`))), [today]);
  const { usage } = useUsage({ by: 'day', since: first });
  const days = useMemo(() => usage && heatDays(usage.rows, first, today), [usage, first, today]);
  if (!usage || !days || usage.rows.length === 0) return null;
  const { costUsd, costState } = usage.totals;
  const label = `Cost of each day of the last 12 months: ${showCost(costUsd, costState) || 'not known'} in all`;
  return (
    <WithTable
      title="The last 12 months"
      chart={<HeatMap days={days} label={label} />}
      table={<FigureTable caption={label} usage={usage} />}
    />
  );
}

/** Where the figures come from, and what is missing in them. */
function Notes({ usage: { totals, prices, unpriced, unread } }: { readonly usage: UsageAnswer }): ReactElement {
  return (
    <ul className="flex flex-col gap-1 text-xs text-muted">
      <li>
        {totals.costState === 'reconciled'
          ? 'The cost is as the agents told it.'
          : `What is marked ~ is estimated by the prices of ${prices.date} (${prices.source}).`}{' '}
        Input includes what came out of caches.
      </li>
      {unpriced.length > 0 && (
        <li>
          There is no price for <PlainText text={unpriced.join(', ')} />.
        </li>
      )}
      {unread > 0 && <li>{unread} files or folders of the agents could not be read: what they tell is missing.</li>}
    </ul>
  );
}
