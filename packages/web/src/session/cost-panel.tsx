import { useClient } from '@tailrace/client/react';
import { shortCount } from '@tailrace/client/timeline';
import { type Conversation, contextOf, type FigureState, showCost } from '@tailrace/core';
import type { SessionDetail } from '@tailrace/protocol';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Cost, Time } from '../ui/figures.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { type CostPoint, costSeries, stepsPath, thinOut } from './cost-series.ts';
import { Panel } from './panel.tsx';
import { sessionKey } from './use-session.ts';

export interface CostPanelProps {
  readonly conversation: Conversation;
  readonly session: SessionDetail;
}

/** How full the context is, and what the session has cost over time. */
export function CostPanel({ conversation, session }: CostPanelProps): ReactElement {
  const client = useClient();
  const { id, costUsd, costState, usage, startedAt } = session;
  const [isTable, setTable] = useState(false);
  const { data } = useQuery({
    queryKey: [...sessionKey(id), 'spending'],
    queryFn: ({ signal }) => client.http.spending(id, { signal }),
  });
  const points = useMemo(() => costSeries(data ?? [], startedAt), [data, startedAt]);
  const { used, size } = useMemo(() => contextOf(conversation), [conversation]) ?? {};
  return (
    <>
      {used !== undefined && (
        <Panel
          name="context"
          title="Context"
          figure={
            size === undefined ? (
              <span className="figures">{shortCount(used)} tok</span>
            ) : (
              <ProgressBar
                percentage={Math.min(100, (used / size) * 100)}
                label={`${Math.round((used / size) * 100)} % of ${shortCount(size)}`}
              />
            )
          }
        />
      )}
      <Panel name="cost" title="Cost" figure={<Cost usd={costUsd} state={costState} />}>
        {points.length > 1 &&
          (isTable ? (
            <PointsTable points={thinOut(points, 12)} state={costState} />
          ) : (
            <Chart points={thinOut(points, 200)} state={costState} />
          ))}
        {costUsd === null && !usage.inputTokens && !usage.outputTokens && (
          <p className="text-sm text-muted">Nothing is known of it yet.</p>
        )}
        <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-2 text-xs text-muted">
          <Figure name="in" count={usage.inputTokens} />
          <Figure name="of that cached" count={usage.cacheReadTokens} />
          <Figure name="out" count={usage.outputTokens} />
        </dl>
        {points.length > 1 && (
          <Button kind="quiet" size="sm" className="-ml-2" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
            {isTable ? 'Show as a picture' : 'Show as a table'}
          </Button>
        )}
      </Panel>
    </>
  );
}

function Figure({ name, count }: { readonly name: string; readonly count: number | undefined }): ReactElement | null {
  if (count === undefined || count === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className="figures text-right">{shortCount(count)}</dd>
    </>
  );
}

const [WIDTH, HEIGHT] = [288, 56];

interface PointsProps {
  readonly points: readonly CostPoint[];
  /** How sure the costs are. */
  readonly state: FigureState;
}

function Chart({ points, state }: PointsProps): ReactElement | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const hasCost = last.costUsd > 0;
  const total = hasCost ? showCost(last.costUsd, state) : `${shortCount(last.tokens)} tokens`;
  return (
    <figure className="mt-2">
      <svg
        viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
        role="img"
        aria-label={`${hasCost ? 'Cost' : 'Tokens'} over time, up to ${total}. A table has the same figures.`}
        className="block w-full"
      >
        <path d={`M0 ${HEIGHT}H${WIDTH}`} className="stroke-line" fill="none" />
        {hasCost && (
          <path
            d={stepsPath(points, ({ tokens }) => tokens, WIDTH, HEIGHT)}
            className="stroke-strong-line"
            fill="none"
            strokeDasharray="2 3"
          />
        )}
        <path
          d={stepsPath(points, ({ costUsd, tokens }) => (hasCost ? costUsd : tokens), WIDTH, HEIGHT)}
          className="stroke-working"
          fill="none"
          strokeWidth={1.5}
        />
      </svg>
      <figcaption className="mt-1 flex flex-wrap justify-between gap-x-3 text-xs text-muted">
        <Time at={first.at} />
        <Time at={last.at} />
        <span className="basis-full text-center whitespace-nowrap">{hasCost ? '— cost ┄ tokens' : '— tokens'}</span>
      </figcaption>
    </figure>
  );
}

function PointsTable({ points, state }: PointsProps): ReactElement {
  return (
    <table className="figures mt-2 w-full text-right text-xs">
      <thead className="text-muted">
        <tr>
          <th className="text-left font-normal">until</th>
          <th className="font-normal">cost</th>
          <th className="font-normal">tokens</th>
        </tr>
      </thead>
      <tbody>
        {points.map(({ at, costUsd, tokens }) => (
          <tr key={at}>
            <td className="text-left">
              <Time at={at} />
            </td>
            <td>{costUsd > 0 ? showCost(costUsd, state) : ''}</td>
            <td>{shortCount(tokens)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
