// Arithmetic on token counts. An absent count stays absent until somebody tells one: unknown is not zero.

import type { Usage } from './event.ts';

const COUNTS = [
  'inputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'outputTokens',
  'reasoningTokens',
  'totalTokens',
] as const;

type MutableUsage = { -readonly [K in keyof Usage]: Usage[K] };

/** The counts of both together. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: MutableUsage = { ...a };
  for (const count of COUNTS) {
    const added = b[count];
    if (added !== undefined) sum[count] = (sum[count] ?? 0) + added;
  }
  return sum;
}

/** The counts of all of them together. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, {});
}

/** What `whole` has beyond `part`, or nothing when `part` is not contained in it. */
export function subtractUsage(whole: Usage, part: Usage): Usage | undefined {
  const rest: MutableUsage = {};
  for (const count of COUNTS) {
    if (whole[count] === undefined && part[count] === undefined) continue;
    const difference = (whole[count] ?? 0) - (part[count] ?? 0);
    if (difference < 0) return undefined;
    rest[count] = difference;
  }
  return rest;
}

/** How many tokens it is about, of whatever kind. */
export function tokensOf(usage: Usage | undefined): number {
  return (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
}

/** Whether anything was counted at all. */
export function isUsed(usage: Usage): boolean {
  return COUNTS.some((count) => (usage[count] ?? 0) > 0);
}
