// What of the search page stands in its address.

import type { FoundKind } from '@tailrace/protocol';

export const KINDS = ['prompt', 'answer', 'command', 'path', 'title'] as const satisfies readonly FoundKind[];

export const PERIODS = ['day', 'week', 'month', 'year'] as const;
export type FindPeriod = (typeof PERIODS)[number];

/** What is absent narrows nothing. */
export interface FindSearch {
  readonly words?: string | undefined;
  readonly kind?: FoundKind | undefined;
  /** The id of a session. */
  readonly session?: string | undefined;
  readonly within?: FindPeriod | undefined;
}

const LONGEST = 200;

/** What an address says; what makes no sense is left out. */
export function readFindSearch(search: Readonly<Record<string, unknown>>): FindSearch {
  const text = (name: string): string | undefined => {
    const value = search[name];
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isPlain && value !== '' ? String(value).slice(0, LONGEST) : undefined;
  };
  const [words, session] = [text('words'), text('session')];
  const kind = KINDS.find((one) => one === search['kind']);
  const within = PERIODS.find((one) => one === search['within']);
  return {
    ...(words !== undefined && { words }),
    ...(kind && { kind }),
    ...(session !== undefined && { session }),
    ...(within && { within }),
  };
}

const DAYS: Readonly<Record<FindPeriod, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** When a period begins: with a day, so that the same question is the same all day. */
export function sinceOf(period: FindPeriod | undefined, now: number): number | undefined {
  if (period === undefined) return undefined;
  const date = new Date(now);
  date.setHours(0, 0, 0, 0);
  return date.setDate(date.getDate() - DAYS[period]);
}
