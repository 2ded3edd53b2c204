// What stands between the rows of a private key and before each: line ends, quotes, the numbers of a listing, marks of a patch.

import { BACKSLASH, BASE64, behindBackslashes, DOTTED, isAt, isBlank, isQuote, WORD } from './characters.ts';

const DASH = 0x2d;
const DASHES = '-----';
const LONGEST_NUMBER = 7;
const LONGEST_FILE = 200;
/** Less behind the name of a file is a word. */
const SHORTEST_ROW = 4;

/** Behind blanks, line ends in either form, the quotes and signs by which code puts a text together, and what stands before a row. */
export function skipBreaks(text: string, from: number): number {
  let at = from;
  let isRow = false;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) {
      const next = behindBackslashes(text, at);
      const letter = text.charCodeAt(next);
      // \n, \r, or a backslash at the end of a line
      const isEnd = letter === 0x6e || letter === 0x72;
      isRow ||= isEnd;
      at = isEnd || (isRow && letter === 0x74) ? next + 1 : next;
    } else if (code === 0x0a || code === 0x0d) {
      isRow = true;
      at++;
    } else if (isBlank(code) || isQuote(code)) at++;
    else {
      const next = isRow ? skipPrefix(text, at) : at;
      if (next === at) return at;
      at = next;
    }
  }
}

/** Behind one thing that stands before a row, or here. */
function skipPrefix(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (isBar(code) || code === 0x3e || code === 0x23 || code === 0x2a) return at + 1;
  if (code === DASH) return isMark(text, at) ? at : at + 1;
  return isAt(text, at, WORD | DOTTED | BASE64) ? skipName(text, skipNumber(text, at), at) : at;
}

/** Whether this is the beginning of an END or BEGIN, as far as the text goes. */
function isMark(text: string, at: number): boolean {
  const dashes = text.slice(at, at + 6);
  return dashes !== '------' && DASHES.startsWith(dashes.slice(0, 5));
}

/** A bar, also one that is drawn. */
function isBar(code: number): boolean {
  return code === 0x7c || code === 0x2502;
}

/** `12→`, `12 | `, `12:` and a tab, which may be written as `\t`. */
function skipNumber(text: string, from: number): number {
  let at = from;
  while (at - from < LONGEST_NUMBER && text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++;
  if (at === from) return from;
  const digits = at;
  while (at - digits < 4 && isBlank(text.charCodeAt(at))) at++;
  const code = text.charCodeAt(at);
  if (isBar(code) || code === 0x3a || code === 0x2192) return at + 1;
  if (code === BACKSLASH) {
    const next = behindBackslashes(text, at);
    return text.charCodeAt(next) === 0x74 ? next + 1 : from;
  }
  return text.slice(digits, at).includes('\t') ? at : from;
}

/** The name of a file and perhaps a number, as they stand before each line that was searched for; `numbered` when that is further. */
function skipName(text: string, numbered: number, from: number): number {
  if (numbered > from) return numbered;
  let at = from;
  let last = -1;
  for (; at - from < LONGEST_FILE && at < text.length; at++) {
    if (isAt(text, at, BASE64)) continue;
    if (!isAt(text, at, DOTTED) && text.charCodeAt(at) !== 0x3a) break;
    if (text.startsWith(DASHES, at)) return text.charCodeAt(at + 5) === DASH ? at + 1 : at;
    last = at;
  }
  if (last < 0 || at - last <= SHORTEST_ROW) return from;
  const isRow = at === text.length || text.charCodeAt(at) < 0x20 || text.charCodeAt(at) === BACKSLASH;
  return isRow || isMixed(text.slice(last + 1, at)) ? last + 1 : from;
}

/** Letters with digits or signs among them, or upper case behind lower: no word of a sentence. */
export function isMixed(row: string): boolean {
  return (/\d/.test(row) && /[A-Za-z]/.test(row)) || /[+/=]|[a-z][A-Z]/.test(row);
}
