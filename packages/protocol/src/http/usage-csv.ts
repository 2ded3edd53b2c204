// The bill for a spreadsheet, as RFC 4180 has it. No cell can be taken for a formula.

import type { UsageAnswer, UsageLine } from './usage.ts';

const COLUMNS = [
  'key',
  'messages',
  'inputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWrite5mTokens',
  'cacheWrite1hTokens',
  'outputTokens',
  'costUsd',
  'costState',
] as const satisfies readonly (keyof UsageLine)[];

/** All rows, and a last one with the totals. */
export function usageCsv(report: Pick<UsageAnswer, 'rows' | 'totals'>): string {
  const rows = [...report.rows, { ...report.totals, key: 'total' }];
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ''))]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('');
}

/** A spreadsheet runs what begins with one of these, unless a quotation mark stands before it. */
const FORMULA = /^[=+\-@\t\r]/;

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
