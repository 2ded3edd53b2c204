// Changes of files: how many lines were added and removed, and the first of them in their colours.

import type { FileChange } from '@tailrace/core';
import { moreText } from './passages.ts';
import { nearPath, type Sheet } from './sheet.ts';
import { fitPath, fitTo } from './width.ts';
import { breakLine } from './wrap.ts';

const DIFF_LINES = 8;
const LONGEST_LINE = 2_000;

export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

/** How many lines a change adds and removes; nothing where nobody told. */
export function countChange(change: FileChange): LineCount | undefined {
  if (change.linesAdded !== undefined || change.linesRemoved !== undefined)
    return { added: change.linesAdded ?? 0, removed: change.linesRemoved ?? 0 };
  const lines = changedLines(change);
  if (lines.length === 0) return undefined;
  const added = lines.filter((line) => line.startsWith('+')).length;
  return { added, removed: lines.length - added };
}

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
  const lines = isFull && change.patch ? patchLines(change.patch) : changedLines(change);
  const first = isFull ? lines : lines.slice(0, DIFF_LINES);
  const room = Math.max(8, sheet.columns - indent - 2);
  const texts = gate.lines(
    first.map((line) => line.slice(1)),
    LONGEST_LINE,
  );
  const before = ' '.repeat(indent);
  const rows = first.flatMap((line, at) => {
    const sign = line.charAt(0);
    const text = (texts[at] ?? '').replaceAll('\t', '    ');
    const paint = sign === '+' ? palette.good : sign === '-' ? palette.bad : palette.dim;
    const parts = isFull ? breakLine(text, room) : [fitTo(text, room)];
    return parts.map((part, number) => before + paint(`${number === 0 ? sign : ' '} ${part}`.trimEnd()));
  });
  const left = lines.length - first.length;
  if (left > 0) rows.push(before + palette.dim(moreText(left)));
  return rows;
}

/** A change that no card stands for. */
export function changeRows(sheet: Sheet, change: FileChange, indent: number): string[] {
  const { palette, gate } = sheet;
  const count = countText(sheet, countChange(change));
  const room = sheet.columns - indent - change.operation.length - 1 - (count ? count.width + 2 : 0);
  const path = fitPath(gate.line(nearPath(sheet, change.path), 1_000), Math.max(8, room));
  const head = `${' '.repeat(indent)}${palette.dim(`${change.operation} ${path}`)}${count ? `  ${count.text}` : ''}`;
  return [head, ...diffRows(sheet, change, indent + 2)];
}

function changedLines({ operation, newText, patch }: FileChange): readonly string[] {
  if (patch) return patchLines(patch).filter((line) => line.startsWith('+') || line.startsWith('-'));
  if (operation !== 'add' || !newText) return [];
  return newText
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `+${line}`);
}

function patchLines(patch: string): readonly string[] {
  return patch.replace(/\n$/, '').split('\n');
}
