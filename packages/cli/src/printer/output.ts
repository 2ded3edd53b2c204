// What a call printed, folded to its last lines. The end is what matters of a command; what is left out stands before it.

import type { ContentPart } from '@tailrace/core';
import { moreText } from './passages.ts';
import { firstRows, type Sheet } from './sheet.ts';
import { fitTo } from './width.ts';
import { breakLine } from './wrap.ts';

/** So many lines are shown of what went well, and of what did not. */
export const GOOD_LINES = 3;
export const BAD_LINES = 8;

/** So much before the lines that are shown is looked at: what announces a secret, or a key whose rows go over many lines. */
const CONTEXT = 400;
const KEY_CONTEXT = 4_000;
const KEY_ROW = /^[ \t]{0,40}["']?[A-Za-z0-9+/=\\]{1,200}["',\\]{0,4}\r?$/m;

/** So many rows a line may take. */
const ROWS_PER_LINE = 4;

/** A line that is longer is cut, however much is wanted. */
const LONGEST_LINE = 2_000;

/**
 * Rows for the end of a text; `most` lines of it, all when everything is wanted. What went wrong is read to the end: its lines are
 * broken, not cut.
 */
export function outputRows(sheet: Sheet, text: string, most: number, indent: number): string[] {
  const { palette, gate, isFull } = sheet;
  const end = endOf(text);
  if (end === 0) return [];
  const { start, count } = isFull ? { start: 0, count: Number.POSITIVE_INFINITY } : lastLines(text, end, most);
  const near = text.slice(Math.max(0, start - contextOf(text.slice(start, end))), end);
  const last = gate.output(near, count, isFull ? LONGEST_LINE : 5 * sheet.columns);
  // No empty line at the beginning, and no two of them.
  const isKept = (line: string, at: number): boolean => line.trim() !== '' || (last[at - 1]?.trim() ?? '') !== '';
  const tail = isFull ? last : last.filter(isKept);
  const room = Math.max(8, sheet.columns - indent);
  const rows = tail.flatMap((line) => {
    if (isFull) return breakLine(line, room);
    return most === BAD_LINES && !line.startsWith(' ')
      ? firstRows(line, room, ROWS_PER_LINE, palette)
      : [fitTo(line, room)];
  });
  const left = isFull ? 0 : countLines(text, start);
  const note = left > 0 ? [moreText(left)] : [];
  return [...note, ...rows].map((row) => `${' '.repeat(indent)}${palette.dim(row.trimEnd())}`.trimEnd());
}

function contextOf(lines: string): number {
  return KEY_ROW.test(lines) ? KEY_CONTEXT : CONTEXT;
}

/** Where the text ends without the empty lines behind it. */
function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 0x20) end--;
  return end;
}

function lastLines(text: string, end: number, most: number): { readonly start: number; readonly count: number } {
  let count = 0;
  let start = end;
  while (count < most && start > 0) {
    start = text.lastIndexOf('\n', start - 1 - (count > 0 ? 1 : 0)) + 1;
    count++;
  }
  return { start, count };
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** What a call printed that did not go well; how it exited stands on its card already. */
export function failureText(
  content: readonly ContentPart[],
  message: string | undefined,
  exitCode: number | undefined,
): string {
  const text = message || contentText(content);
  const first = `exit code ${exitCode}\n`;
  return text.slice(0, first.length).toLowerCase() === first ? text.slice(first.length) : text;
}

const CORRECTION = 'Correction to the text above: ';

/** Claude corrects what it always says of a stopped call by a sentence behind it: the correction alone is true. */
export function stoppedRows(sheet: Sheet, content: readonly ContentPart[], indent: number): string[] {
  const text = contentText(content);
  const at = text.indexOf(CORRECTION);
  return at < 0
    ? outputRows(sheet, text, GOOD_LINES, indent)
    : outputRows(sheet, text.slice(at + CORRECTION.length), BAD_LINES, indent);
}

const PUT_ASIDE = '<persisted-output>\n';

/** What a command printed. Claude puts aside what is too long: where it is says more than the beginning of it. */
export function printedRows(sheet: Sheet, content: readonly ContentPart[], indent: number): string[] {
  const text = contentText(content);
  if (sheet.isFull || !text.startsWith(PUT_ASIDE)) return outputRows(sheet, text, GOOD_LINES, indent);
  const [where = ''] = text.slice(PUT_ASIDE.length).split('\n', 1);
  return outputRows(sheet, where, BAD_LINES, indent);
}

/** What a call gave, in words. */
export function contentText(content: readonly ContentPart[]): string {
  const [only] = content;
  if (content.length === 1 && only?.type === 'text') return only.text;
  return content.map(partText).join('\n');
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'json':
      return JSON.stringify(part.value) ?? '';
    case 'resource':
      return part.text ?? `[${part.title ?? part.uri}]`;
    default:
      return `[${part.type}: ${part.mediaType}]`;
  }
}
