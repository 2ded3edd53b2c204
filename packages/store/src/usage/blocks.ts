// The five-hour windows in which some plans count: one begins with the hour of its first message, and ends five hours later.

import type { UsageEntry } from '../contract.ts';

const HOUR_MS = 3_600_000;
const BLOCK_MS: number = 5 * HOUR_MS;

export interface Block {
  readonly begin: number;
  readonly end: number;
  /** The first and the last message in it. */
  readonly first: number;
  last: number;
  readonly entries: UsageEntry[];
}

/** The blocks of entries that have a time, in order. A new one begins when one is over, and after five hours of silence. */
export function blocksOf(entries: readonly UsageEntry[]): Block[] {
  const blocks: Block[] = [];
  let block: Block | undefined;
  for (const entry of [...entries].filter(({ at }) => at !== null).sort((a, b) => (a.at ?? 0) - (b.at ?? 0))) {
    const time = entry.at ?? 0;
    if (!block || time - block.begin > BLOCK_MS || time - block.last > BLOCK_MS) {
      const begin = Math.floor(time / HOUR_MS) * HOUR_MS;
      block = { begin, end: begin + BLOCK_MS, first: time, last: time, entries: [] };
      blocks.push(block);
    }
    block.last = time;
    block.entries.push(entry);
  }
  return blocks;
}

/** Whether a block goes on at this time. */
export function isActive({ begin, end, last }: Block, now: number): boolean {
  return now >= begin && now < end && now - last < BLOCK_MS;
}

/** How fast a block is used up, and what it will have come to at its end. */
export interface BurnRate {
  readonly tokensPerMinute: number;
  readonly usdPerHour: number | null;
  readonly projectedTokens: number;
  readonly projectedUsd: number | null;
  readonly minutesLeft: number;
}

/** The rate between a block's first and last message; nothing while less than a minute lies between them: it would be a guess. */
export function burnRate(
  { first, last, end }: Pick<Block, 'first' | 'last' | 'end'>,
  tokens: number,
  costUsd: number | null,
  now: number,
): BurnRate | undefined {
  const minutes = (last - first) / 60_000;
  if (minutes < 1) return undefined;
  const minutesLeft = Math.max(0, (end - now) / 60_000);
  const usdPerMinute = costUsd === null ? null : costUsd / minutes;
  return {
    tokensPerMinute: tokens / minutes,
    usdPerHour: usdPerMinute === null ? null : usdPerMinute * 60,
    projectedTokens: Math.round(tokens + (tokens / minutes) * minutesLeft),
    projectedUsd: usdPerMinute === null || costUsd === null ? null : costUsd + usdPerMinute * minutesLeft,
    minutesLeft,
  };
}
