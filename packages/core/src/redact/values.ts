// Values of names that sound secret: `NAME=value`, `"name": "value"` with its quotes escaped once or twice, `--name value`,
// and the token of an Authorization header.

import {
  BACKSLASH,
  BASE64,
  behindBackslashes,
  DOTTED,
  ENDS_VALUE,
  isAt,
  isBlank,
  isQuote,
  runEnd,
  TOKEN,
} from './characters.ts';
import { kindOfName, mayEndName } from './names.ts';
import { looksSecret } from './randomness.ts';
import type { Match } from './tokens.ts';

/** A secret that does not begin where it was noticed. `readTo`: nothing before this place has to be looked at again. */
export interface ValueMatch extends Match {
  readonly start: number;
  readonly readTo: number;
}

const LONGEST_NAME = 64;
/** A quote that nobody closes within so many characters is none. */
const LONGEST_QUOTED = 4096;

/** The value behind the `=` or `:` at this place, when a name that sounds secret stands before it. */
export function matchNamed(text: string, at: number, isWhole: boolean): ValueMatch | undefined {
  let end = at;
  while (at - end < 3 && isBlank(text.charCodeAt(end - 1))) end--;
  while (at - end < 8 && isFrame(text.charCodeAt(end - 1))) end--;
  if (!mayEndName(text, end)) return undefined;
  let start = end;
  while (end - start < LONGEST_NAME && isAt(text, start - 1, DOTTED)) start--;
  const kind = kindOfName(text.slice(start, end));
  if (kind === undefined) return undefined;
  let from = at + 1;
  while (from - at < 3 && '=>:'.includes(text.charAt(from)) && from < text.length) from++;
  return matchValue(text, from, kind, isWhole);
}

/** The value that begins here, behind blanks and a quote. */
function matchValue(text: string, from: number, kind: string, isWhole: boolean): ValueMatch | undefined {
  let start = from;
  while (start - from < 8 && isBlank(text.charCodeAt(start))) start++;
  const quote = behindBackslashes(text, start);
  const isQuoted = isQuote(text.charCodeAt(quote));
  const backslashes = quote - start;
  if (quote === text.length && !isWhole) return openAt(start, kind);
  if (isQuoted) start = quote + 1;
  if (kind === 'authorization') start = behindScheme(text, start);
  let end = -1;
  if (isQuoted) end = quotedEnd(text, start, text.charCodeAt(quote), backslashes);
  if (end < 0) {
    if (isQuoted && !isWhole && text.length - start < LONGEST_QUOTED) return openAt(start, kind);
    end = kind === 'session-cookie' ? lineEnd(text, start) : plainEnd(text, start);
  }
  if (end === text.length && !isWhole) return openAt(start, kind);
  const readTo = isQuoted ? start : end;
  const found = isSecretValue(text.slice(start, end), kind);
  return { kind, start, end: found ? end : -1, isOpen: false, readTo };
}

function openAt(start: number, kind: string): ValueMatch {
  return { kind, start, end: -1, isOpen: true, readTo: start };
}

/** What stands between a name and its `=`: quotes with their backslashes, the bracket of `env["NAME"]`. */
function isFrame(code: number): boolean {
  return isQuote(code) || code === BACKSLASH || code === 0x5d;
}

/** Whether the value of a name of this kind looks like what the name promises. */
export function isSecretValue(value: string, kind: string): boolean {
  if (value.startsWith('-----BEGIN')) return false;
  if (kind === 'session-cookie') return value.length >= 12 && /\d/.test(value) && !/^[$<{[]/.test(value);
  if (kind === 'signature') return value.length >= 40 && looksSecret(value, false);
  // A path is no password: PWD is the name of a folder, too.
  if (kind === 'password') return !/^[/~.]|^\w:\\/.test(value) && looksSecret(value, true);
  return looksSecret(value, false);
}

/** Where the quoted text ends, or -1. A quote with more backslashes than the first one had is part of it. */
function quotedEnd(text: string, from: number, quote: number, backslashes: number): number {
  const limit = Math.min(text.length, from + LONGEST_QUOTED);
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return -1;
    if (code === quote && backslashes === 0) return at;
    if (code !== BACKSLASH) continue;
    const next = behindBackslashes(text, at);
    if (text.charCodeAt(next) === quote && next - at <= backslashes) return at;
    at = next;
  }
  return -1;
}

/** Where a value without quotes ends: at a blank, also one that is written as `\n`, or at a sign. */
function plainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isAt(text, at, ENDS_VALUE)) {
    if (text.charCodeAt(at) === BACKSLASH) {
      const next = behindBackslashes(text, at);
      if (isQuote(text.charCodeAt(next)) || 'nrt'.includes(text.charAt(next))) return next === text.length ? next : at;
      at = next;
    } else at++;
  }
  return at;
}

/** A header goes on to the end of its line, or of the string it stands in. */
function lineEnd(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d || isQuote(code)) return at;
    if (code === BACKSLASH && (isQuote(text.charCodeAt(at + 1)) || 'nr\\'.includes(text.charAt(at + 1)))) return at;
  }
  return at;
}

/** `Bearer` and `Basic` are no part of the secret. */
function behindScheme(text: string, from: number): number {
  const scheme = /^(?:bearer|basic|token|apikey|key|negotiate)[ \t]{1,4}/i.exec(text.slice(from, from + 16));
  return scheme ? from + scheme[0].length : from;
}

/** The token behind a `Bearer` or `Basic` that ends here, and the password behind `-u name:`. */
export function matchAfterWord(text: string, start: number, end: number, isWhole: boolean): ValueMatch | undefined {
  if (!isBlank(text.charCodeAt(end))) return undefined;
  const word = text.slice(start, end).toLowerCase();
  if (word.startsWith('--') && word !== '--user') {
    const kind = kindOfName(word);
    return kind === undefined ? undefined : matchValue(text, end, kind, isWhole);
  }
  const from = end + 1;
  if (word === '-u' || word === '--user') {
    const colon = runEnd(text, from, DOTTED);
    return text.charCodeAt(colon) === 0x3a ? matchValue(text, colon + 1, 'password', isWhole) : undefined;
  }
  if (word !== 'bearer' && word !== 'basic') return undefined;
  const last = runEnd(text, from, TOKEN | DOTTED | BASE64);
  const kind = `${word}-authorization`;
  if (last === text.length && !isWhole) return openAt(from, kind);
  const value = text.slice(from, last);
  const isOne =
    word === 'bearer'
      ? value.length >= 16 && looksSecret(value, false)
      : value.length >= 12 && /[A-Z]/.test(value) && /[a-z]/.test(value) && /[\d=]/.test(value);
  return { kind, start: from, end: isOne ? last : -1, isOpen: false, readTo: from };
}
