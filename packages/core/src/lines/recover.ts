// What can be saved of a line that is not one JSON value: records that were written without the line feed between them,
// and whole records glued to the remains of a cut one. Linear: whole objects are peeled off from the left, then from the
// right; what is left in the middle is the fragment.

import { parseJson } from './json.ts';
import { MAX_DEPTH } from './limits.ts';

export interface Recovered {
  readonly before: readonly unknown[];
  /** What is no record, with the bytes of it that are missing on either side gone for good. Empty when nothing is lost. */
  readonly fragment: string;
  readonly after: readonly unknown[];
}

/**
 * The records in a line that does not parse, or nothing when there are none.
 * `isRecord` decides what may stand on a line of its own: an object inside a cut record looks whole, too.
 */
export function recoverRecords(text: string, isRecord: (value: unknown) => boolean): Recovered | undefined {
  const before: unknown[] = [];
  const after: unknown[] = [];
  let start = 0;
  let end = text.length;

  for (;;) {
    const open = skipSpace(text, start);
    const close = text[open] === '{' ? closingBrace(text, open, end) : -1;
    const value = close < 0 ? undefined : parseJson(text.slice(open, close + 1));
    if (value === undefined || !isRecord(value)) break;
    before.push(value);
    start = close + 1;
  }
  for (;;) {
    const close = skipSpaceBack(text, end - 1);
    const open = close >= start && text[close] === '}' ? openingBrace(text, close, start) : -1;
    const value = open < 0 ? undefined : parseJson(text.slice(open, close + 1));
    if (value === undefined || !isRecord(value)) break;
    after.unshift(value);
    end = open;
  }
  if (before.length + after.length === 0) return undefined;
  return { before, fragment: text.slice(start, end).trim(), after };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function skipSpaceBack(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at--;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** The brace that closes the object which opens at `open`, or -1 when there is none or it nests too deep. */
function closingBrace(text: string, open: number, end: number): number {
  let depth = 0;
  for (let at = open; at < end; at++) {
    const character = text[at];
    if (character === '"') {
      at = text.indexOf('"', at + 1);
      while (at >= 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
      if (at < 0 || at >= end) return -1;
    } else if (character === '{' || character === '[') {
      depth++;
      if (depth > MAX_DEPTH) return -1;
    } else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/** The brace that opens the object which closes at `close`, or -1: a string ends where it begins, at a bare quote. */
function openingBrace(text: string, close: number, start: number): number {
  let depth = 0;
  for (let at = close; at >= start; at--) {
    const character = text[at];
    if (character === '"') {
      at = text.lastIndexOf('"', at - 1);
      while (at >= start && isEscaped(text, at)) at = text.lastIndexOf('"', at - 1);
      if (at < start) return -1;
    } else if (character === '}' || character === ']') {
      depth++;
      if (depth > MAX_DEPTH) return -1;
    } else if (character === '{' || character === '[') {
      depth--;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
