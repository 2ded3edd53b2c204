// A text that is being written, on rows of a width: broken between words where it can be, with nothing left out, and with the place of
// the cursor in it.

import { revealHidden } from '@tailrace/core';
import { type Line, span, widthOf } from '../text/line.ts';
import type { Draft } from './draft.ts';

/** A row: from where to where in the text. A line feed belongs to none. */
export interface DraftRow {
  readonly from: number;
  readonly to: number;
}

const segmenter = new Intl.Segmenter();
const TAB = '    ';

/** As it is seen: what hides is written out, here too. */
function seen(text: string): string {
  return revealHidden(text).replaceAll('\t', TAB);
}

/** The rows of a text; at least one. */
export function rowsOf(text: string, width: number): readonly DraftRow[] {
  const rows: DraftRow[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    breakLine(line, start, Math.max(2, width), rows);
    start += line.length + 1;
  }
  return rows;
}

function breakLine(line: string, start: number, width: number, rows: DraftRow[]): void {
  let from = 0;
  let used = 0;
  /** Behind the last room in this row, and how much of the row there is up to it. */
  let gap = { at: 0, used: 0 };
  for (const { segment, index } of segmenter.segment(line)) {
    const wide = widthOf(seen(segment));
    // Room at the end of a row stands over its edge.
    if (used + wide > width && segment !== ' ' && index > from) {
      const isWord = gap.at > from;
      const to = isWord ? gap.at : index;
      rows.push({ from: start + from, to: start + to });
      used = isWord ? used - gap.used : 0;
      from = to;
      gap = { at: from, used: 0 };
    }
    used += wide;
    if (segment === ' ' || segment === '\t') gap = { at: index + segment.length, used };
  }
  rows.push({ from: start + from, to: start + line.length });
}

/** Which row the cursor is in. */
export function rowAt(rows: readonly DraftRow[], at: number): number {
  let row = 0;
  while (row + 1 < rows.length && (rows[row + 1]?.from ?? 0) <= at) row++;
  return row;
}

/** The place one row up or down, as far from the edge as before. */
export function movedByRow({ text, at }: Draft, by: 1 | -1, columns: number): Draft {
  const rows = rowsOf(text, columns - 1);
  const row = rowAt(rows, at);
  const here = rows[row];
  const next = rows[row + by];
  if (!here || !next) return { text, at: by > 0 ? text.length : 0 };
  const column = widthOf(seen(text.slice(here.from, at)));
  // The end of a row that goes on is the beginning of the next.
  const isLast = text[next.to] === '\n' || next.to === text.length;
  let place = next.from;
  let used = 0;
  for (const { segment } of segmenter.segment(text.slice(next.from, next.to))) {
    const wide = widthOf(seen(segment));
    if (used + wide > column || (!isLast && place + segment.length >= next.to)) break;
    used += wide;
    place += segment.length;
  }
  return { text, at: place };
}

/** The rows that are seen: those around the cursor, which is marked. The last column is for the cursor behind a full row. */
export function draftLines({ text, at }: Draft, columns: number, most: number): readonly Line[] {
  const width = columns - 1;
  const rows = rowsOf(text, width);
  const row = rowAt(rows, at);
  const first = Math.max(0, Math.min(row, row - most + 2, rows.length - most));
  return rows.slice(first, first + most).map(({ from, to }, index): Line => {
    if (first + index !== row) return [span(fitted(seen(text.slice(from, to)), width))];
    const [under] = segmenter.segment(text.slice(at, to));
    const cursor = under?.segment ?? '';
    return [
      span(fitted(seen(text.slice(from, at)), width)),
      { text: cursor === '' ? ' ' : seen(cursor), isTurned: true },
      span(seen(text.slice(at + cursor.length, to)).trimEnd()),
    ];
  });
}

/** Room that stands over the edge is not drawn. */
function fitted(text: string, width: number): string {
  return widthOf(text) > width ? text.trimEnd() : text;
}
