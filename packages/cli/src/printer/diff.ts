// Changes of files: how many lines were added and removed, and the first of them in their colours.

import type { FileChange } from '@tailrace/core';
import { countChange, type LineCount } from './line-count.ts';
import { moreText } from './passages.ts';
import { nearPath, type Sheet } from './sheet.ts';
import { fitPath, fitTo } from './width.ts';
import { breakLine } from './wrap.ts';

const DIFF_LINES = 8;
const LONGEST_LINE = 2_000;

/** `+30 −9`, in its colours, and how wide that is. */
export function countText(
  { palette }: Sheet,
  count: LineCount | undefined,
): { text: string; width: number } | undefined {
  if (!count) return undefined;
  const plus = `+${count.added}`;
  const minus = `−${count.removed}`;
  return { text: `${palette.good(plus)} ${palette.bad(minus)}`, width: plus.length + minus.length + 1 };
}

/** The lines themselves, the first few unless all are wanted. */
export function diffRows(sheet: Sheet, change: FileChange, indent: number): string[] {
  const { palette, gate, isFull } = sheet;
  const first = firstLines(change, isFull);
  const room = Math.max(8, sheet.columns - indent - 2);
  const texts = gate.lines(
    // A line may end in the way of another system.
    first.map((line) => line.slice(signOf(line) === '' ? 0 : 1, line.endsWith('\r') ? -1 : undefined)),
    isFull ? LONGEST_LINE : 5 * sheet.columns,
  );
  const before = ' '.repeat(indent);
  const rows = first.flatMap((line, at) => {
    const sign = signOf(line);
    const text = texts[at] ?? '';
    const paint = sign === '+' ? palette.good : sign === '-' ? palette.bad : palette.dim;
    const parts = isFull ? breakLine(text, room) : [fitTo(text, room)];
    return parts.map((part, number) => before + paint(`${(number === 0 && sign) || ' '} ${part}`.trimEnd()));
  });
  const all = countChange(change);
  const left = isFull || !all ? 0 : all.added + all.removed - first.length;
  if (left > 0) rows.push(before + palette.dim(moreText(left)));
  return rows;
}

/** What a line begins with in a patch; nothing where it is none of its own. */
function signOf(line: string): string {
  return line.startsWith('+') || line.startsWith('-') || line.startsWith(' ') ? line.charAt(0) : '';
}

/** A change that no card stands for. */
export function changeRows(sheet: Sheet, change: FileChange, indent: number): string[] {
  const { palette, gate } = sheet;
  const counted = countText(sheet, countChange(change));
  const room = sheet.columns - indent - change.operation.length - 1 - (counted ? counted.width + 2 : 0);
  const path = fitPath(gate.line(nearPath(sheet, change.path), 1_000), Math.max(8, room));
  const head = `${' '.repeat(indent)}${palette.dim(`${change.operation} ${path}`)}${counted ? `  ${counted.text}` : ''}`;
  return [head, ...diffRows(sheet, change, indent + 2)];
}

/** The lines of a change, each with its sign: the first few, or all with those around them. */
function firstLines({ operation, newText, patch }: FileChange, isFull: boolean): readonly string[] {
  const lines: string[] = [];
  const most = isFull ? Number.POSITIVE_INFINITY : DIFF_LINES;
  const isNew = !patch && operation === 'add';
  for (const line of linesOf(patch || (isNew ? newText : '') || '')) {
    if (lines.length === most) break;
    if (isNew) lines.push(`+${line}`);
    else if (isFull || line.startsWith('+') || line.startsWith('-')) lines.push(line);
  }
  return lines;
}

/** One after the other: a large file is not taken apart for its first lines. The line feed at the end begins no line. */
function* linesOf(text: string): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end < 0 ? undefined : end);
    start = end < 0 ? text.length : end + 1;
  }
}
