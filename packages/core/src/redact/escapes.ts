// Characters that JSON writes as `\u002d`, and the sequences by which a terminal is steered. A text with such is looked at as it is
// meant, with one ESC for each sequence, and what is found is told as it is written.

import { BACKSLASH, behindBackslashes, ESCAPE, HEX, runEnd } from './characters.ts';

/** A text as it is meant, and where each of its characters is written. */
export interface Meant {
  readonly text: string;
  /** The place in the written text, also of the end. */
  place(at: number): number;
}

const ESC = String.fromCharCode(ESCAPE);
/** What stands behind the backslash of an escape. */
const BEHIND = ['u', 'x', '033', 'e['];

/** Undefined for a text that has nothing of the kind: nearly every one. */
export function readEscapes(written: string): Meant | undefined {
  if (!hasEscape(written)) return undefined;
  let text = '';
  /** Where the text goes on after each escape: as it is meant, and as it is written. */
  const turns: [meant: number, written: number][] = [[0, 0]];
  let last = 0;
  for (let at = 0; at < written.length; ) {
    const code = written.charCodeAt(at);
    if (code !== BACKSLASH && code !== ESCAPE) {
      at++;
      continue;
    }
    // The escape of an escape has more backslashes.
    const behind = behindBackslashes(written, at);
    const read = code === ESCAPE ? { code, end: at + 1 } : escapeAt(written, behind);
    if (!read) {
      at = behind;
      continue;
    }
    text += written.slice(last, at);
    turns.push([text.length, at]);
    text += String.fromCharCode(read.code);
    last = read.code === ESCAPE ? sequenceEnd(written, read.end) : read.end;
    turns.push([text.length, last]);
    at = last;
  }
  text += written.slice(last);
  return {
    text,
    place: (at) => {
      let low = 0;
      for (let high = turns.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if ((turns[middle]?.[0] ?? 0) <= at) low = middle;
        else high = middle - 1;
      }
      const [meant, start] = turns[low] ?? [0, 0];
      return start + at - meant;
    },
  };
}

function hasEscape(text: string): boolean {
  if (text.includes(ESC)) return true;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 1))
    if (BEHIND.some((sign) => text.startsWith(sign, at + 1))) return true;
  return false;
}

interface Escape {
  readonly code: number;
  readonly end: number;
}

/** What stands behind a backslash and is a character by its number. */
function escapeAt(text: string, at: number): Escape | undefined {
  const letter = text.charAt(at);
  if (letter === 'u' || letter === 'x') {
    const end = at + (letter === 'u' ? 5 : 3);
    if (runEnd(text, at + 1, HEX, end - at - 1) !== end) return undefined;
    return { code: Number.parseInt(text.slice(at + 1, end), 16), end };
  }
  if (text.startsWith('033', at)) return { code: ESCAPE, end: at + 3 };
  return text.startsWith('e[', at) ? { code: ESCAPE, end: at + 1 } : undefined;
}

/** So long may be what stands between the bracket of a sequence and its last letter. */
const LONGEST_SEQUENCE = 24;

/** Where the sequence ends whose ESC ends here; here when it is none. */
function sequenceEnd(text: string, from: number): number {
  const first = text.charAt(from);
  if (first === '(') return 'AB012'.includes(text.charAt(from + 1)) ? Math.min(text.length, from + 2) : from;
  if (first !== '[') return from;
  const end = parametersEnd(text, from + 1);
  const final = text.charCodeAt(end);
  return final >= 0x40 && final <= 0x7e ? end + 1 : from;
}

function parametersEnd(text: string, from: number): number {
  let at = from;
  while (at - from < LONGEST_SEQUENCE && text.charCodeAt(at) >= 0x20 && text.charCodeAt(at) <= 0x3f) at++;
  return at;
}

/** Where an escape or a sequence begins that the end of the text cuts off; the text's length when none does. */
export function cutEscape(text: string): number {
  const { length } = text;
  for (let at = length - 1; at >= 0 && at >= length - LONGEST_SEQUENCE - 8; at--) {
    const code = text.charCodeAt(at);
    if (code !== BACKSLASH && code !== ESCAPE) continue;
    if (!(code === ESCAPE ? isCutSequence(text, at + 1) : isCutEscape(text, at + 1))) continue;
    let start = at;
    while (text.charCodeAt(start - 1) === BACKSLASH) start--;
    return start;
  }
  return length;
}

function isCutSequence(text: string, from: number): boolean {
  if (from === text.length) return true;
  if (text.charAt(from) === '(') return from + 1 === text.length;
  return text.charAt(from) === '[' && parametersEnd(text, from + 1) === text.length;
}

/** Whether what stands behind a backslash may become an escape with more text, or the sequence that it begins may go on. */
function isCutEscape(text: string, from: number): boolean {
  const rest = text.slice(from);
  if (rest === '' || '033'.startsWith(rest) || rest === 'e') return true;
  const read = escapeAt(text, from);
  if (read) return read.code === ESCAPE && isCutSequence(text, read.end);
  const size = rest.startsWith('u') ? 5 : rest.startsWith('x') ? 3 : 0;
  return rest.length < size && runEnd(text, from + 1, HEX) === text.length;
}
