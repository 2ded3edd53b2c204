// What of the usage page stands in its address, and which days a period has.

export const PERIODS = ['month', 'last-month', '30-days', 'year', 'all'] as const;
export type Period = (typeof PERIODS)[number];

export const BREAKDOWNS = ['day', 'project', 'model', 'agent', 'block', 'subagent', 'tool'] as const;
export type Breakdown = (typeof BREAKDOWNS)[number];

/** What is absent is as usual: this month, by project. */
export interface UsageSearch {
  readonly span?: Exclude<Period, 'month'> | undefined;
  readonly rows?: Exclude<Breakdown, 'project'> | undefined;
}

/** What an address says; what makes no sense is left out. */
export function readUsageSearch(search: Readonly<Record<string, unknown>>): UsageSearch {
  const span = PERIODS.find((one) => one === search['span']);
  const rows = BREAKDOWNS.find((one) => one === search['rows']);
  return {
    ...(span !== undefined && span !== 'month' && { span }),
    ...(rows !== undefined && rows !== 'project' && { rows }),
  };
}

/** Days, both included; absent where it has no end. */
export interface Days {
  readonly since?: string;
  readonly until?: string;
}

/** The days of a period, seen from a day of the person's own calendar. */
export function daysOf(period: Period, now: Date): Days {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  switch (period) {
    case 'month':
      return { since: dayName(new Date(year, month, 1)) };
    case 'last-month':
      return { since: dayName(new Date(year, month - 1, 1)), until: dayName(new Date(year, month, 0)) };
    case '30-days':
      return { since: dayName(new Date(year, month, day - 29)) };
    case 'year':
      return { since: dayName(yearAgo(now)) };
    case 'all':
      return {};
  }
}

/** The day after this one a year ago: twelve whole months. */
export function yearAgo(now: Date): Date {
  return new Date(now.getFullYear() - 1, now.getMonth(), now.getDate() + 1);
}

/** `2026-11-15`, in the calendar of the person. */
export function dayName(date: Date): string {
  const two = (count: number): string => String(count).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The beginning of a day of that name. */
export function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** A period in words. */
export function periodName(period: Period, now: Date): string {
  const monthName = (back: number): string =>
    new Date(now.getFullYear(), now.getMonth() - back, 1).toLocaleDateString([], { month: 'long', year: 'numeric' });
  switch (period) {
    case 'month':
      return `${monthName(0)}, so far`;
    case 'last-month':
      return monthName(1);
    case '30-days':
      return 'the last 30 days';
    case 'year':
      return 'the last 12 months';
    case 'all':
      return 'all the time';
  }
}
