// One pass over a text. A secret is looked for where a word begins, and behind each `=`, `:` and `>`; everything else is stepped over.

import { matchAddress, matchTelegram } from './addresses.ts';
import { matchAfterWord } from './announced.ts';
import { BACKSLASH, COLON, steps } from './characters.ts';
import { matchPrivateKey } from './private-key.ts';
import { matchShape } from './shapes.ts';
import { type Match, matchToken, pairOf, tokenPairs } from './tokens.ts';
import { matchEncoded, matchNamed, type ValueMatch } from './values.ts';

/** A secret in a text: what it is and where, in UTF-16 units. */
export interface FoundSecret {
  readonly kind: string;
  readonly start: number;
  readonly length: number;
}

export interface Scan {
  readonly found: readonly FoundSecret[];
  /** Where something begins that more text may turn out to be a secret; the text's length when there is nothing. */
  readonly open: number;
}

const PERCENT = 0x25;
const NOTHING: ValueMatch = { kind: '', start: 0, end: -1, isOpen: false, readTo: 0 };

/** What the words begin with that are looked at: nearly all others are passed by. */
const BEGINS_TOKEN = 1;
const BEGINS_OTHER = 2;
const beginnings = new Uint8Array(65_536);
for (const pair of tokenPairs) beginnings[pair] = BEGINS_TOKEN;
// Web tokens, hooks of Slack and Discord, Bearer and Basic, ENV and login, options, private keys, hashes of passwords.
const OTHERS = 'ey ho di be ba Be Ba BE BA EN lo -- -u -p 2a 2b 2x 2y 1$ 5$ 6$ y$ ar';
for (const pair of OTHERS.split(' ')) addBeginning(pairOf(pair, 0));
// Discord: M, N or O and whatever follows.
for (let code = 0; code < 128; code++)
  for (const first of 'MNO') addBeginning(pairOf(first + String.fromCharCode(code), 0));

function addBeginning(pair: number): void {
  beginnings[pair] = (beginnings[pair] ?? 0) | BEGINS_OTHER;
}

/** Longer words are looked into, as far as so many places that could begin something. */
const LONG_WORD = 16;
const MOST_PLACES = 64;

/** A secret may begin so much before what it is found by. */
const LONGEST_BEFORE = 128;

/**
 * Finds what is secret, in time in proportion to the text. Unless that is whole, what touches its end is left open. What begins at
 * `upTo` or behind it may be left out.
 */
export function scan(text: string, isWhole: boolean, upTo: number = text.length): Scan {
  const found: FoundSecret[] = [];
  const { length } = text;
  const last = Math.min(length, upTo + LONGEST_BEFORE);
  let readTo = 0;
  let at = 0;
  while (at < last) {
    let step = steps[text.charCodeAt(at)];
    while (step === 0 && ++at < length) step = steps[text.charCodeAt(at)];
    if (at === length) break;
    let match: ValueMatch | undefined;
    if (step === 2) {
      match = matchBehind(text, at, isWhole, readTo);
      at++;
    } else {
      let end = at;
      while (end < length && steps[text.charCodeAt(end)] === 1) end++;
      if (end - at >= LONG_WORD || beginnings[pairOf(text, at)] !== 0 || end === length || isBehindEscape(text, at))
        match = matchWord(text, at, end, isWhole);
      at = end;
    }
    if (match === undefined) continue;
    if (match.isOpen) return { found, open: match.start };
    readTo = Math.max(readTo, match.readTo);
    if (match.end < 0) continue;
    found.push({ kind: match.kind, start: match.start, length: match.end - match.start });
    at = match.end;
  }
  return { found, open: length };
}

function isBehindEscape(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before === BACKSLASH || before === PERCENT;
}

/** What stands behind a `:`, `=` or `>`. */
function matchBehind(text: string, at: number, isWhole: boolean, readTo: number): ValueMatch | undefined {
  const address =
    text.charCodeAt(at) === COLON ? (matchAddress(text, at, isWhole) ?? matchTelegram(text, at, isWhole)) : undefined;
  if (address && !address.isOpen) return address;
  // What may yet become an address can still be the value of a name, and that begins earlier.
  const match = at < readTo ? undefined : matchNamed(text, at, isWhole);
  if (address) {
    const isEarlier = match !== undefined && (match.isOpen || match.end >= 0) && match.start < address.start;
    return isEarlier ? { ...address, start: match.start } : address;
  }
  // What says itself what it is, is found by that when its turn comes.
  return match && matchAt(text, match.start, isWhole) ? undefined : match;
}

/** What a word holds: it may begin with a secret, have one behind an escape or a hyphen, or announce one. */
function matchWord(text: string, start: number, end: number, isWhole: boolean): ValueMatch | undefined {
  const before = text.charCodeAt(start - 1);
  // The n of a `\n`, or the digits of a `%3D`.
  const behind = start + (before === BACKSLASH ? 1 : before === PERCENT ? 2 : 0);
  const direct =
    matchAt(text, start, isWhole) ??
    (behind > start ? matchAt(text, behind, isWhole) : undefined) ??
    matchAnnounced(text, start, end, isWhole) ??
    (behind > start ? matchAnnounced(text, behind, end, isWhole) : undefined) ??
    (before === PERCENT ? matchEncoded(text, start - 1, isWhole) : undefined);
  if (direct) return direct === NOTHING ? undefined : direct;
  if (end - start < LONG_WORD && (isWhole || end < text.length)) return undefined;
  let places = 0;
  for (let at = start + 1; at < end && places < MOST_PLACES; at++) {
    const code = text.charCodeAt(at - 1);
    if ((code !== 0x5f && code !== 0x2d) || !isBeginning(text, at)) continue;
    places++;
    const match = matchToken(text, at, isWhole);
    if (match) return placed(match, at);
  }
  return undefined;
}

/** What a word announces. */
function matchAnnounced(text: string, start: number, end: number, isWhole: boolean): ValueMatch | undefined {
  // b of Bearer and Basic, e of ENV, l of login, and the hyphen of an option
  if (!'bBeElL-'.includes(text.charAt(start))) return undefined;
  const announced = matchAfterWord(text, start, end, isWhole);
  if (!announced) return undefined;
  // What says itself what it is, is found by that when its turn comes.
  return announced.end >= 0 && matchAt(text, announced.start, isWhole) ? NOTHING : announced;
}

/** Whether a token may begin here. One character at the end may begin many. */
function isBeginning(text: string, at: number): boolean {
  return ((beginnings[pairOf(text, at)] ?? 0) & BEGINS_TOKEN) !== 0 || at === text.length - 1;
}

function matchAt(text: string, at: number, isWhole: boolean): ValueMatch | undefined {
  if (at >= text.length) return undefined;
  const match =
    text.charCodeAt(at) === 0x2d
      ? matchPrivateKey(text, at, isWhole)
      : (matchToken(text, at, isWhole) ?? matchShape(text, at, isWhole));
  return match && placed(match, at);
}

function placed(match: Match, start: number): ValueMatch {
  return { ...match, start, readTo: match.end };
}
