// The days of a year, the darker the dearer. Each says its figure when it is pointed at; all of them stand in the table.

import { showCost } from '@tailrace/core';
import type { ReactElement } from 'react';
import type { HeatDay } from './heat-days.ts';
import { dateOf } from './usage-search.ts';

export interface HeatMapProps {
  readonly days: readonly HeatDay[];
  readonly label: string;
}

const CELL = 11;
const STEP = 13;
const TOP = 16;

export function HeatMap({ days, label }: HeatMapProps): ReactElement {
  const columns = (days.at(-1)?.column ?? 0) + 1;
  return (
    <svg
      viewBox={`0 0 ${columns * STEP} ${TOP + 7 * STEP}`}
      role="img"
      aria-label={label}
      className="w-full max-w-[860px]"
    >
      {monthsOf(days).map(({ day, column, name }) => (
        <text key={day} x={column * STEP} y={11} fontSize="10" fill="var(--muted)" className="max-sm:hidden">
          {name}
        </text>
      ))}
      {days.map((one) => (
        <rect
          key={one.day}
          x={one.column * STEP}
          y={TOP + one.line * STEP}
          width={CELL}
          height={CELL}
          rx="2"
          fill={FILLS[one.level]}
        >
          <title>{`${one.day}: ${one.row ? showCost(one.row.costUsd, one.row.costState) || 'not known' : 'nothing'}`}</title>
        </rect>
      ))}
    </svg>
  );
}

const FILLS = ['var(--sunken)', 'var(--heat-1)', 'var(--heat-2)', 'var(--heat-3)', 'var(--heat-4)'];

/** Where a month begins; the first only where there is room for its name. */
function monthsOf(days: readonly HeatDay[]): readonly { day: string; column: number; name: string }[] {
  const begins = days.filter(({ day, column }) => day.endsWith('-01') && column > 0);
  return begins.map(({ day, column, line }) => ({
    day,
    column: line === 0 ? column : column + 1,
    name: dateOf(day).toLocaleDateString([], { month: 'short' }),
  }));
}
