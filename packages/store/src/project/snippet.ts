// The words around what was found.

import type { Term } from './query.ts';

export interface Snippet {
  readonly snippet: string;
  /** Where what was looked for stands in it, in UTF-16 units. */
  readonly ranges: readonly (readonly [number, number])[];
}

const SHOWN = 160;
const BEFORE = 48;
/** So much of a text is looked through for the place to show. */
const LOOKED_THROUGH = 200_000;

/** A piece of the text around the first of the terms, on one line. */
export function snippetOf(text: string, terms: readonly Term[]): Snippet {
  const looked = text.slice(0, LOOKED_THROUGH);
  const lower = lowerOf(looked);
  const wanted = terms.flatMap((term) => placesOf(lower, term));
  const first = wanted.reduce((least, [begin]) => Math.min(least, begin), Number.POSITIVE_INFINITY);
  const begin = Number.isFinite(first) ? beginOf(looked, first) : 0;
  const shown = wellCut(looked.slice(begin, begin + SHOWN));
  const isCutBefore = begin > 0;
  const isCutBehind = begin + shown.length < text.length;
  const lead = isCutBefore ? '…' : '';
  const window = lower.slice(begin, begin + shown.length);
  const ranges = wordsOf(terms).flatMap((word) => allOf(window, word));
  return {
    snippet: `${lead}${shown.replaceAll(LINE_BREAK, ' ')}${isCutBehind ? '…' : ''}`,
    ranges: joined(ranges).map(([from, to]) => [from + lead.length, to + lead.length] as const),
  };
}

const LINE_BREAK = /[\r\n\t\u2028\u2029]/g;

/** Lower case of the same length, so that places in it are places in the text. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  let same = '';
  for (const character of text) {
    const small = character.toLowerCase();
    same += small.length === character.length ? small : character;
  }
  return same;
}

/** Where a term stands: as it was typed, else its first word. */
function placesOf(lower: string, { typed, tokens }: Term): [number, number][] {
  for (const word of [typed, ...tokens]) {
    const at = word === '' ? -1 : lower.indexOf(word);
    if (at >= 0) return [[at, at + word.length]];
  }
  return [];
}

function wordsOf(terms: readonly Term[]): readonly string[] {
  return [...new Set(terms.flatMap(({ typed, tokens }) => [typed, ...tokens]))].filter((word) => word !== '');
}

function allOf(lower: string, word: string): [number, number][] {
  const all: [number, number][] = [];
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) all.push([at, at + word.length]);
  return all;
}

/** Ranges that touch or overlap become one. */
function joined(ranges: readonly [number, number][]): [number, number][] {
  const all: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** A little before the place, at the beginning of a word where there is one. */
function beginOf(text: string, place: number): number {
  if (place <= BEFORE) return 0;
  const from = place - BEFORE;
  const blank = text.slice(from, place).search(/\s/u);
  const begin = blank < 0 ? from : from + blank + 1;
  // Not in the middle of a character of two units.
  return isLow(text.charCodeAt(begin)) ? begin + 1 : begin;
}

function wellCut(text: string): string {
  return isHigh(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
