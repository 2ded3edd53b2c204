// Values of names that sound secret: `NAME=value`, `"name": "value"` with its quotes escaped once or twice, `--name value`,
// and the token of an Authorization header.

import { BACKSLASH, behindBackslashes, DOTTED, ENDS_VALUE, isAt, isBlank, isQuote } from './characters.ts';
import { kindOfName, mayBeFolder, mayEndName } from './names.ts';
import { countDistinct, isWordPassword, looksSecret } from './randomness.ts';
import type { Match } from './tokens.ts';

/** A secret that does not begin where it was noticed. `readTo`: nothing before this place has to be looked at again. */
export interface ValueMatch extends Match {
  readonly start: number;
  readonly readTo: number;
}

const LONGEST_NAME = 64;
/** A quote that nobody closes within so many characters is none. */
const LONGEST_QUOTED = 4096;

/** What passwords may be: by chance alone, words when they stand in quotes, or words at any rate. */
type Words = 'none' | 'quoted' | 'any';

/** The value behind the `=`, `:` or `>` at this place, when a name that sounds secret stands before it. */
export function matchNamed(text: string, at: number, isWhole: boolean): ValueMatch | undefined {
  const sign = text.charCodeAt(at);
  const name = nameBefore(text, at);
  if (name === undefined) return undefined;
  const kind = kindOfName(name);
  if (kind === undefined) return undefined;
  if (sign === GREATER) return isElement(text, at, name) ? matchElement(text, at + 1, kind, isWhole) : undefined;
  let from = at + 1;
  while (from - at < 3 && '=>:'.includes(text.charAt(from)) && from < text.length) from++;
  const isTight = sign === 0x3d && from === at + 1 && isAt(text, at - 1, DOTTED) && !isBlank(text.charCodeAt(from));
  return matchValue(text, from, kind, isWhole, mayBeFolder(name) ? 'none' : isTight ? 'any' : 'quoted');
}

const GREATER = 0x3e;

function isElement(text: string, at: number, name: string): boolean {
  return text.charAt(at - name.length - 1) === '<' && !isBlank(text.charCodeAt(at + 1));
}

/** `<password>value</password>` */
function matchElement(text: string, from: number, kind: string, isWhole: boolean): ValueMatch | undefined {
  const match = matchValue(text, from, kind, isWhole, 'any');
  return match && (match.isOpen || text.charAt(match.end) === '<') ? match : undefined;
}

/** The name that ends before this place; what it is the value of for `key="name" value`. */
function nameBefore(text: string, at: number): string | undefined {
  let end = at;
  while (at - end < 3 && isBlank(text.charCodeAt(end - 1))) end--;
  while (at - end < 8 && isFrame(text.charCodeAt(end - 1))) end--;
  if (!mayEndName(text, end)) return undefined;
  let start = end;
  while (end - start < LONGEST_NAME && isAt(text, start - 1, DOTTED)) start--;
  // The n of a `\n` is no part of the name.
  if (text.charCodeAt(start - 1) === BACKSLASH && 'nrtbf'.includes(text.charAt(start))) start++;
  const name = text.slice(start, end);
  if (!/^value$/i.test(name)) return name;
  const before = text.slice(Math.max(0, start - 100), start);
  return /(?:key|name)\\{0,4}["']?\s{0,2}[:=]\s{0,2}\\{0,4}["']([\w.-]{1,64})\\{0,4}["'],?\s{0,4}\\{0,4}["']?$/i.exec(
    before,
  )?.[1];
}

/** The same behind a `%3D` or `%3A` whose `%` is here. */
export function matchEncoded(text: string, at: number, isWhole: boolean): ValueMatch | undefined {
  if (!/^%3[ad]/i.test(text.slice(at, at + 3))) return undefined;
  const kind = kindOfName(nameBefore(text, at) ?? '');
  return kind === undefined ? undefined : matchValue(text, at + 3, kind, isWhole);
}

/** The value that begins here, behind blanks and a quote. */
export function matchValue(
  text: string,
  from: number,
  kind: string,
  isWhole: boolean,
  words: Words = 'none',
): ValueMatch | undefined {
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
  const isClosed = end >= 0;
  if (end < 0) {
    if (isQuoted && !isWhole && text.length - start < LONGEST_QUOTED) return openAt(start, kind);
    end = kind === 'session-cookie' ? lineEnd(text, start) : plainEnd(text, start);
  }
  if (end === text.length && !isWhole) return openAt(start, kind);
  const value = text.slice(start, end);
  const next = text.charAt(end);
  // What is called is code.
  const isCall = !isClosed && next === '(' && /^[A-Za-z_$][\w$.]*$/.test(value);
  const hasWords = isClosed ? words !== 'none' : words === 'any' && !/[()[\]{},;]/.test(next);
  const found = !isCall && (isSecretValue(value, kind) || (hasWords && kind === 'password' && isWordPassword(value)));
  // A colon at its end may make a name of it.
  const readTo = isQuoted ? start : value.endsWith(':') ? end - 1 : end;
  return { kind, start, end: found ? end : -1, isOpen: false, readTo };
}

/** What may become a secret with more text. */
export function openAt(start: number, kind: string): ValueMatch {
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
  if (kind === 'key') return /^[\da-f]{32,256}$/i.test(value) && countDistinct(value, 0, value.length) >= 8;
  if (kind === 'signature') return value.length >= 40 && looksSecret(value, false);
  // A path is no password: PWD is the name of a folder, too.
  if (kind === 'password') return !/^[/~.]|^\w:\\|^(?:change[-_]?me|your[-_])/i.test(value) && looksSecret(value, true);
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
