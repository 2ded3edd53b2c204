// Sums of entries. There are many entries, so each is added once, in place, and sums are added to sums.

import type { UsageEntry } from '../contract.ts';
import type { UsageRow, UsageSums } from './report.ts';

export interface Sum {
  readonly counts: Float64Array;
  readonly models: Set<string>;
  lastModel: string;
  /** Some of the cost was told by the agent; some is by the table; some has no price. */
  isTold: boolean;
  isPriced: boolean;
  isMissing: boolean;
}

/** The places of the counts. */
const INPUT = 0;
const READ = 1;
const WRITE = 2;
const HOUR = 3;
const OUTPUT = 4;
const COST = 5;
const MESSAGES = 6;
const FIRST = 7;
const LAST = 8;
const PLACES = 9;

/** A sum of nothing. */
export function createSum(): Sum {
  const counts = new Float64Array(PLACES);
  counts[FIRST] = Number.POSITIVE_INFINITY;
  counts[LAST] = Number.NEGATIVE_INFINITY;
  return { counts, models: new Set(), lastModel: '', isTold: false, isPriced: false, isMissing: false };
}

/** Adds an entry. `costUsd` is what it cost as somebody told it, or by the table; nothing where neither knows. */
export function addEntry(sum: Sum, entry: UsageEntry, costUsd: number | undefined): void {
  const { counts } = sum;
  increase(counts, INPUT, entry.inputTokens);
  increase(counts, READ, entry.cacheReadTokens);
  increase(counts, WRITE, entry.cacheWriteTokens);
  increase(counts, HOUR, entry.cacheWrite1hTokens);
  increase(counts, OUTPUT, entry.outputTokens);
  increase(counts, MESSAGES, entry.messages);
  if (entry.model !== null && entry.model !== sum.lastModel) {
    sum.models.add(entry.model);
    sum.lastModel = entry.model;
  }
  if (entry.at !== null) widen(counts, entry.at, entry.at);
  if (costUsd !== undefined) {
    increase(counts, COST, costUsd);
    if (entry.costUsd !== null) sum.isTold = true;
    else sum.isPriced = true;
  } else if (entry.inputTokens + entry.outputTokens > 0) sum.isMissing = true;
}

/** One of several even parts of an entry. They add up to it: what is left over goes to the first. */
export function partOf(entry: UsageEntry, index: number, parts: number): UsageEntry {
  const part = (count: number): number => Math.floor(count / parts) + (index < count % parts ? 1 : 0);
  return {
    ...entry,
    inputTokens: part(entry.inputTokens),
    cacheReadTokens: part(entry.cacheReadTokens),
    cacheWriteTokens: part(entry.cacheWriteTokens),
    cacheWrite1hTokens: part(entry.cacheWrite1hTokens),
    outputTokens: part(entry.outputTokens),
    messages: part(entry.messages),
  };
}

/** Adds all that another has. */
export function addSum(sum: Sum, other: Sum): void {
  for (let place = INPUT; place <= MESSAGES; place++) increase(sum.counts, place, countAt(other, place));
  widen(sum.counts, countAt(other, FIRST), countAt(other, LAST));
  for (const model of other.models) sum.models.add(model);
  sum.isTold ||= other.isTold;
  sum.isPriced ||= other.isPriced;
  sum.isMissing ||= other.isMissing;
}

/** The counts by their names. */
export function sumsOf(sum: Sum): UsageSums {
  const { isTold, isPriced, isMissing } = sum;
  const isKnown = isTold || isPriced || !isMissing;
  return {
    inputTokens: countAt(sum, INPUT),
    cacheReadTokens: countAt(sum, READ),
    cacheWriteTokens: countAt(sum, WRITE),
    cacheWrite5mTokens: Math.max(countAt(sum, WRITE) - countAt(sum, HOUR), 0),
    cacheWrite1hTokens: countAt(sum, HOUR),
    outputTokens: countAt(sum, OUTPUT),
    cacheShare: countAt(sum, INPUT) > 0 ? countAt(sum, READ) / countAt(sum, INPUT) : null,
    costUsd: isKnown ? countAt(sum, COST) : null,
    costState: !isKnown ? 'unknown' : isMissing ? 'known' : isPriced ? 'estimated' : 'reconciled',
    messages: countAt(sum, MESSAGES),
  };
}

/** The same as a row of a report. */
export function rowOf(sum: Sum, key: string): UsageRow {
  const time = (place: number): number | null => (Number.isFinite(countAt(sum, place)) ? countAt(sum, place) : null);
  return { key, ...sumsOf(sum), models: [...sum.models].sort(), firstAt: time(FIRST), lastAt: time(LAST) };
}

function countAt({ counts }: Sum, place: number): number {
  return counts[place] ?? 0;
}

function increase(counts: Float64Array, place: number, by: number): void {
  counts[place] = (counts[place] ?? 0) + by;
}

function widen(counts: Float64Array, first: number, last: number): void {
  if (first < (counts[FIRST] ?? 0)) counts[FIRST] = first;
  if (last > (counts[LAST] ?? 0)) counts[LAST] = last;
}
