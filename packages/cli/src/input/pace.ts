// How fast a recording is played: how long each of its lines waits for its turn. Pure: it is told times and has no clock.

import { UsageError } from '../failure.ts';

/** How long a line waits where nobody told a time, in milliseconds. */
export const STEADY_MS = 60;

/** More than this no timer can wait. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export interface Pace {
  /** How many times faster than it happened; above zero. */
  readonly speed: number;
  /** The longest wait of one line at speed 1. */
  readonly maxGapMs: number;
}

/**
 * Gives each line its wait, in milliseconds. Not every line carries a time: those between two that do share the time between
 * them, so a line's wait is known when the next timed one has come. Before the first and after the last the pace is steady.
 */
export interface Pacer {
  /** The next line, with its time where it has one. Gives the waits that are known now: of this line and of all before it. */
  add(time: number | undefined): readonly number[];
  /** No time is to be expected: gives the waits of the lines that still have none, and forgets the last time. */
  release(): readonly number[];
}

export function createPacer({ speed, maxGapMs }: Pace): Pacer {
  let last: number | undefined;
  let lines = 0;

  function close(time: number | undefined): readonly number[] {
    // Clocks are set back and sub-agents overlap: a line from the past follows at once.
    const share = last === undefined || time === undefined ? STEADY_MS : Math.max(time - last, 0) / lines;
    const waits = Array.from({ length: lines }, () => Math.min(Math.min(share, maxGapMs) / speed, LONGEST_WAIT_MS));
    last = time;
    lines = 0;
    return waits;
  }

  return {
    add(time) {
      lines++;
      return time === undefined ? [] : close(time);
    },
    release: () => close(undefined),
  };
}

/** The number of `--speed`: 1 unless given, 0 for all at once. */
export function parseSpeed(text = '1'): number {
  return parseAmount('--speed', text);
}

/** A number that is not negative. */
export function parseAmount(option: string, text: string): number {
  const amount = Number(text);
  if (text.trim() === '' || !Number.isFinite(amount) || amount < 0) {
    throw new UsageError(`${option} takes a number, not "${text}"`);
  }
  return amount;
}
