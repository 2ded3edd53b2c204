// Rows of the bill as a table. Where there is little room only what matters most is shown.

import { shortCount } from '@tailrace/client/timeline';
import type { UsageAnswer, UsageFigures, UsageGrouping, UsageLine } from '@tailrace/protocol';
import { type ReactElement, useState } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { Cost } from '../ui/figures.tsx';
import { rowName } from './row-name.ts';

export interface FigureTableProps {
  readonly caption: string;
  readonly usage: Pick<UsageAnswer, 'by' | 'totals' | 'rows'>;
}

/** More rows are drawn when they are asked for. */
const FIRST_ROWS = 100;
const CELL = 'px-3 py-1.5 text-right figures whitespace-nowrap';
const WIDE = `${CELL} max-sm:hidden`;

const TITLES: Readonly<Record<UsageGrouping, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  session: 'Session',
  project: 'Project',
  model: 'Model',
  block: 'Began',
  agent: 'Agent',
  subagent: 'Sub-agent',
  tool: 'Tool',
};

export function FigureTable({ caption, usage: { by, totals, rows } }: FigureTableProps): ReactElement {
  const [isWhole, setWhole] = useState(false);
  // Of times the newest are looked for first.
  const ordered = by === 'day' || by === 'week' || by === 'month' || by === 'block' ? [...rows].reverse() : rows;
  const shown = isWhole ? ordered : ordered.slice(0, FIRST_ROWS);
  const hasCalls = by === 'tool';
  return (
    <>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            <th scope="col" className="px-3 py-1.5 text-left font-medium">
              {TITLES[by]}
            </th>
            <th scope="col" className={`${CELL} font-medium`}>
              Cost
            </th>
            <th scope="col" className={`${WIDE} font-medium`}>
              {hasCalls ? 'Calls' : 'Messages'}
            </th>
            <th scope="col" className={`${WIDE} font-medium`}>
              Input
            </th>
            <th scope="col" className={`${CELL} font-medium`}>
              Cached
            </th>
            <th scope="col" className={`${WIDE} font-medium`}>
              Output
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.key} className="border-b border-line">
              <NameCell row={row} by={by} />
              <Figures figures={row} calls={hasCalls ? (row.calls ?? 0) : undefined} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="px-3 py-1.5 text-left">
              Total
            </th>
            <Figures
              figures={totals}
              calls={hasCalls ? rows.reduce((sum, { calls }) => sum + (calls ?? 0), 0) : undefined}
            />
          </tr>
        </tfoot>
      </table>
      {shown.length < ordered.length && (
        <div className="flex justify-center py-2">
          <Button kind="quiet" size="sm" onClick={() => setWhole(true)}>
            Show all {ordered.length} rows
          </Button>
        </div>
      )}
    </>
  );
}

function NameCell({ row, by }: { readonly row: UsageLine; readonly by: UsageGrouping }): ReactElement {
  const { name, more } = rowName(row, by);
  return (
    <th scope="row" className="max-w-0 w-full px-3 py-1.5 text-left font-normal">
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="max-w-full shrink-0 truncate">
          <PlainText text={name} />
        </span>
        {more !== undefined && (
          <span className="min-w-0 truncate text-xs text-muted max-sm:hidden">
            <PlainText text={more} />
          </span>
        )}
      </span>
    </th>
  );
}

function Figures({
  figures,
  calls,
}: {
  readonly figures: UsageFigures;
  readonly calls: number | undefined;
}): ReactElement {
  const { costUsd, costState, messages, inputTokens, outputTokens, cacheShare } = figures;
  return (
    <>
      <td className={CELL}>{costUsd === null ? '?' : <Cost usd={costUsd} state={costState} />}</td>
      <td className={WIDE}>{calls === 0 ? '–' : (calls ?? messages).toLocaleString()}</td>
      <td className={WIDE} title={inputTokens.toLocaleString()}>
        {shortCount(inputTokens)}
      </td>
      <td className={CELL}>{showShare(cacheShare)}</td>
      <td className={WIDE} title={outputTokens.toLocaleString()}>
        {shortCount(outputTokens)}
      </td>
    </>
  );
}

/** `91 %`; a dash where there was no input. */
export function showShare(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}
