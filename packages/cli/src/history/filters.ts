// How a person says which sessions, and since when.

import { UsageError } from '../failure.ts';

const DAY_MS = 86_400_000;

const AGO: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: DAY_MS, w: 7 * DAY_MS };

/** `2026-11-15`, a time as ISO 8601 tells it, `today`, `yesterday`, or `3h`, `7d`, `2w` ago. A day ends where `isEnd` is set. */
export function parseTime(
  name: string,
  text: string | undefined,
  isEnd = false,
  now: number = Date.now(),
): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (AGO[unit] ?? DAY_MS);
  const day = dayOf(text, now);
  if (day) {
    // The next day's beginning, whatever the clocks do in between.
    if (isEnd) day.setDate(day.getDate() + 1);
    return day.getTime() - (isEnd ? 1 : 0);
  }
  const time = text.includes('T') ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new UsageError(`${name} takes a day (2026-11-15), a time, or 3h, 7d, 2w; not "${text}"`);
  return time;
}

/** The beginning of a day, here. */
function dayOf(text: string, now: number): Date | undefined {
  if (text === 'today' || text === 'yesterday') {
    const day = new Date(now);
    day.setHours(0, 0, 0, 0);
    if (text === 'yesterday') day.setDate(day.getDate() - 1);
    return day;
  }
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const day = new Date(Number(year), Number(month) - 1, Number(date));
  return day.getMonth() === Number(month) - 1 ? day : undefined;
}

/** A number that is not below zero. */
export function parseNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(`${name} takes a number, not "${text}"`);
  return value;
}

/** A whole number from 1. */
export function parseCount(name: string, text: string | undefined): number | undefined {
  const value = parseNumber(name, text);
  if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
    throw new UsageError(`${name} takes a whole number from 1, not "${text}"`);
  return value;
}

/** One of several words. */
export function parseWord<T extends string>(
  name: string,
  text: string | undefined,
  words: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const word = words.find((one) => one === text);
  if (word === undefined) throw new UsageError(`${name} is one of ${words.join(', ')}, not "${text}"`);
  return word;
}

/** The one word that is expected, or none; a second one is a mistake. */
export function parseOne(what: string, words: readonly string[]): string | undefined {
  if (words.length > 1) throw new UsageError(`one ${what} at a time, not ${words.length}`);
  return words[0];
}
