// A table in so many columns: each cell as wide as it needs where all fit, otherwise narrower and on several rows; where not even
// that fits, one line for each cell.

import { type Palette, Style } from './palette.ts';
import { type Row, type Span, wrapSpans } from './wrap.ts';

type Cell = readonly Span[];

/** Where the text of a column stands; at the left, unless told. */
export type Align = 'left' | 'center' | 'right' | null;

const NARROWEST = 6;
const BETWEEN = 3;

export function tableRows(
  header: readonly Cell[],
  body: readonly (readonly Cell[])[],
  columns: number,
  palette: Palette,
  aligns: readonly Align[] = [],
): readonly string[] {
  const wanted = header.map((cell, at) => Math.max(1, ...[cell, ...body.map((row) => row[at] ?? [])].map(widest)));
  const room = columns - BETWEEN * (header.length - 1);
  if (room < NARROWEST * header.length && sum(wanted) > room) return cellByCell(header, body, columns, palette);
  const widths = share(wanted, room);
  const line = (row: readonly Cell[]): readonly string[] => rowOf(row, widths, aligns, palette);
  const rule = palette.dim(widths.map((width) => '─'.repeat(width)).join('─┼─'));
  return [...line(header), rule, ...body.flatMap(line)];

  function widest(cell: Cell): number {
    return Math.max(0, ...wrapSpans(cell, Number.MAX_SAFE_INTEGER, palette).map(({ width }) => width));
  }
}

/** Those that want less than an equal part get it, the rest share what is left. */
function share(wanted: readonly number[], room: number): readonly number[] {
  if (sum(wanted) <= room) return wanted;
  const widths = wanted.map(() => 0);
  let left = room;
  let open = wanted.map((_, at) => at);
  for (;;) {
    const part = Math.max(1, Math.floor(left / Math.max(1, open.length)));
    const small = open.filter((at) => (wanted[at] ?? 0) <= part);
    if (small.length === 0) {
      for (const at of open) widths[at] = part;
      return widths;
    }
    for (const at of small) {
      widths[at] = wanted[at] ?? 1;
      left -= widths[at] ?? 0;
    }
    open = open.filter((at) => !small.includes(at));
    if (open.length === 0) return widths;
  }
}

function rowOf(
  row: readonly Cell[],
  widths: readonly number[],
  aligns: readonly Align[],
  palette: Palette,
): readonly string[] {
  const cells = widths.map((width, at) => wrapSpans(row[at] ?? [], width, palette));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((rows, at) => padded(rows[line], widths[at] ?? 0, aligns[at] ?? 'left'))
      .join(` ${palette.dim('│')} `)
      .trimEnd(),
  );
}

function padded(row: Row | undefined, width: number, align: 'left' | 'center' | 'right'): string {
  const free = Math.max(0, width - (row?.width ?? 0));
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  return `${' '.repeat(before)}${row?.text ?? ''}${' '.repeat(free - before)}`;
}

function cellByCell(
  header: readonly Cell[],
  body: readonly (readonly Cell[])[],
  columns: number,
  palette: Palette,
): readonly string[] {
  return body.flatMap((row, number) => [
    ...(number > 0 ? [''] : []),
    ...row.flatMap((cell, at) => {
      const spans = [...(header[at] ?? []), { text: ': ', style: Style.none }, ...cell];
      return wrapSpans(spans, columns, palette).map(({ text }) => text);
    }),
  ]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
