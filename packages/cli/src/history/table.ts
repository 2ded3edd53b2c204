// Columns for people: each as wide as it has to be, the one that can give way cut to what is left of the line.

import { createGate } from '../printer/gate.ts';
import type { Palette } from '../printer/palette.ts';

export interface Column<T> {
  readonly title: string;
  readonly align?: 'right' | undefined;
  /** This one is cut when the line is too narrow. */
  readonly gives?: boolean | undefined;
  /** It is what people and models wrote; anything else is a name, in which nothing may hide. */
  readonly isProse?: boolean | undefined;
  text(row: T): string;
}

const GAP = 2;
const LONGEST = 500;
const NARROWEST = 8;

/** A table with a head, without secrets, no wider than `width` where one column gives way. */
export function showTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  palette: Palette,
  width: number,
): string {
  const gate = createGate();
  const cells = rows.map((row) =>
    columns.map(({ text, isProse }) => (isProse ? gate.prose(text(row), LONGEST) : gate.line(text(row), LONGEST))),
  );
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((row) => lengthOf(row[index] ?? ''))),
  );
  const all = widths.reduce((sum, one) => sum + one, GAP * (columns.length - 1));
  const giving = columns.findIndex((column) => column.gives);
  if (giving >= 0 && all > width) widths[giving] = Math.max(NARROWEST, (widths[giving] ?? 0) - (all - width));
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) => fit(text, widths[index] ?? 0, columns[index]?.align === 'right'))
      .join(' '.repeat(GAP))
      .trimEnd();
  return [palette.dim(line(columns.map(({ title }) => title))), ...cells.map(line)].map((one) => `${one}\n`).join('');
}

function fit(text: string, width: number, isRight: boolean): string {
  const length = lengthOf(text);
  if (length > width) return `${[...text].slice(0, Math.max(width - 1, 0)).join('')}…`;
  return isRight ? ' '.repeat(width - length) + text : text + ' '.repeat(width - length);
}

function lengthOf(text: string): number {
  return [...text].length;
}
