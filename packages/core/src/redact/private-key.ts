// Private keys between their BEGIN and END lines, whose line ends may be written as `\n` inside a string.

import { BASE64, runEnd } from './characters.ts';
import { isMixed, skipBreaks } from './key-rows.ts';
import type { Match } from './tokens.ts';

const BEGIN = '-----BEGIN ';
const LONGEST_LABEL = 40;
const LONGEST_ROW = 256;
/** Fewer characters are no key but a text that speaks of one, */
const SHORTEST = 24;
/** unless they look like a key that was cut off. */
const SHORTEST_MIXED = 6;

/** The key whose first line begins here. One without an END reaches as far as it looks like a key. */
export function matchPrivateKey(text: string, from: number, isWhole: boolean): Match | undefined {
  const limit = text.length;
  // A sixth dash is the mark of a patch.
  const at = text.startsWith('------', from) ? from + 1 : from;
  const isOpen: Match = { kind: 'private-key', end: -1, isOpen: true };
  if (!text.startsWith(BEGIN, at)) {
    return !isWhole && limit - at < BEGIN.length && BEGIN.startsWith(text.slice(at)) ? isOpen : undefined;
  }
  const label = text.slice(at + BEGIN.length, at + BEGIN.length + LONGEST_LABEL);
  const dashes = label.indexOf('-----');
  if (dashes < 0) return !isWhole && label.length < LONGEST_LABEL ? isOpen : undefined;
  if (!/PRIVATE KEY|SECRET KEY/.test(label.slice(0, dashes))) return undefined;
  const body = at + BEGIN.length + dashes + 5;
  const { end, size, isClosed } = readBody(text, body);
  // The rest of a row tells what its beginning is.
  if (!isWhole && !isClosed && (end === limit || isRowCut(text, end))) return isOpen;
  const enough = isMixed(text.slice(body, end).slice(0, 200)) ? SHORTEST_MIXED : SHORTEST;
  return isClosed || size >= enough ? { kind: 'private-key', end, isOpen: false } : undefined;
}

interface Body {
  readonly end: number;
  /** Characters of the key itself. */
  readonly size: number;
  readonly isClosed: boolean;
}

function readBody(text: string, from: number): Body {
  let at = from;
  let size = 0;
  for (;;) {
    const start = skipBreaks(text, at);
    if ('-----END '.startsWith(text.slice(start, start + 9)) && start + 9 > text.length)
      return { end: text.length, size, isClosed: false };
    if (text.startsWith('-----', start)) {
      if (!text.startsWith('-----END ', start)) return { end: at, size, isClosed: false };
      const dashes = text.slice(start + 9, start + 9 + LONGEST_LABEL).indexOf('-----');
      if (dashes >= 0) return { end: start + 9 + dashes + 5, size, isClosed: true };
      // An END that is cut off still belongs to the key.
      return { end: Math.min(text.length, start + 9 + LONGEST_LABEL), size, isClosed: false };
    }
    const header = size === 0 ? headerEnd(text, start) : -1;
    const end = header < 0 ? runEnd(text, start, BASE64) : header;
    // Words with blanks between them are a sentence, no key.
    const isWord = header < 0 && end - start < 16 && /[ \t]/.test(text.charAt(end)) && !isMixed(text.slice(start, end));
    if (end === start || isWord) {
      return { end: start === text.length ? start : at, size, isClosed: false };
    }
    if (header < 0) size += end - start;
    at = end;
  }
}

/** Whether the text ends in the row that is behind this place, or in what stands before it. */
function isRowCut(text: string, end: number): boolean {
  const start = skipBreaks(text, end);
  return text.length - start < LONGEST_ROW && !/[\n\r]|\\[nr]/.test(text.slice(start));
}

/** `Proc-Type: 4,ENCRYPTED` and the like, up to the end of their line; -1 when it is none. */
function headerEnd(text: string, from: number): number {
  const line = text.slice(from, from + 120);
  const name = /^[A-Za-z-]{3,20}: /.exec(line);
  if (!name) return -1;
  const end = line.slice(name[0].length).search(/[\n\r\\"]/);
  return end < 0 ? from + line.length : from + name[0].length + end;
}
