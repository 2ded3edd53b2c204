// The bill as people read it: a row for each day (or what was asked for), a row of totals, and where the prices come from.

import { homedir } from 'node:os';
import { basename } from 'node:path';
import { showCost } from '@tailrace/core';
import { PRICE_TABLE, type UsageReport, type UsageRow, type UsageSums } from '@tailrace/store';
import { fitLine } from '../printer/clean.ts';
import { tellPlainly } from '../printer/hidden.ts';
import type { Palette } from '../printer/palette.ts';
import { shortId } from '../printer/short-id.ts';
import { describeBlock } from './block-line.ts';

export interface TableOptions {
  readonly width: number;
  readonly locale?: string | undefined;
  readonly palette: Palette;
}

/** Narrower than this, only what matters most is shown. */
const WIDE = 100;
const GAP = '  ';

interface Column {
  readonly title: string;
  readonly isWide?: boolean;
  text(sums: UsageSums): string;
}

/** The report as a table. */
export function showUsage(report: UsageReport, { width, locale, palette }: TableOptions): string {
  if (report.rows.length === 0) return 'nothing was used\n';
  const format = new Intl.NumberFormat(locale);
  const count = (value: number): string => (width < WIDE ? short(value) : format.format(value));
  const columns = columnsOf(count).filter(({ isWide }) => width >= WIDE || !isWide);
  const names = report.rows.map((row) => fitLine(tellPlainly(nameOf(row, report.by)), 500));
  const cells = report.rows.map((row) => columns.map((column) => column.text(row)));
  const totals = columns.map((column) => column.text(report.totals));
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...[...cells, totals].map((row) => row[index]?.length ?? 0)),
  );
  const taken = widths.reduce((sum, one) => sum + one + GAP.length, 0);
  const first = Math.min(Math.max(5, ...names.map((name) => [...name].length)), Math.max(12, width - taken));
  const line = (name: string, texts: readonly string[]): string =>
    [pad(fitLine(name, first), first), ...texts.map((text, index) => text.padStart(widths[index] ?? 0))].join(GAP);
  return [
    palette.dim(
      line(
        report.by,
        columns.map(({ title }) => title),
      ),
    ),
    ...report.rows.map((_, index) => line(names[index] ?? '', cells[index] ?? [])),
    palette.bold(line('total', totals)),
    ...notes(report).map((note) => palette.dim(fitLine(tellPlainly(note), 500))),
  ]
    .map((one) => `${one.trimEnd()}\n`)
    .join('');
}

function columnsOf(count: (value: number) => string): readonly Column[] {
  return [
    { title: 'messages', isWide: true, text: ({ messages }) => count(messages) },
    { title: 'input', text: ({ inputTokens }) => count(inputTokens) },
    { title: 'cache read', isWide: true, text: ({ cacheReadTokens }) => count(cacheReadTokens) },
    { title: '5m write', isWide: true, text: ({ cacheWrite5mTokens }) => count(cacheWrite5mTokens) },
    { title: '1h write', isWide: true, text: ({ cacheWrite1hTokens }) => count(cacheWrite1hTokens) },
    { title: 'output', text: ({ outputTokens }) => count(outputTokens) },
    { title: 'cost', text: ({ costUsd, costState }) => showCost(costUsd, costState) || '?' },
  ];
}

function nameOf(row: UsageRow, by: UsageReport['by']): string {
  if (by === 'session') return `${shortId(row.key)} ${basename(row.project ?? '')}`.trim();
  if (by === 'project') return fromHome(row.key);
  if (by === 'block') return `${row.key.slice(0, 16).replace('T', ' ')}${row.isActive ? ' ●' : ''}`;
  return row.key;
}

function notes(report: UsageReport): string[] {
  const { totals, unpriced, month, rows } = report;
  const active = rows.find((row) => row.isActive);
  return [
    ...(active ? [describeBlock(active)] : []),
    ...(month
      ? [
          `${month.key}: ${showCost(month.costUsd, month.costState)} so far, ${showCost(month.projectedUsd, 'estimated')} at this pace`,
        ]
      : []),
    ...(unpriced.length > 0 ? [`no price for ${unpriced.join(', ')}`] : []),
    ...(totals.costState === 'reconciled'
      ? ['cost as the agents told it; input includes caches']
      : [`~ some of it by the prices of ${PRICE_TABLE.date} (${PRICE_TABLE.source}); input includes caches`]),
  ];
}

function short(value: number): string {
  if (value < 10_000) return String(value);
  if (value < 1_000_000) return `${Math.round(value / 1000)}k`;
  return value < 1_000_000_000 ? `${(value / 1_000_000).toFixed(1)}M` : `${(value / 1_000_000_000).toFixed(1)}G`;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** The person's own folder is known to them. */
function fromHome(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
