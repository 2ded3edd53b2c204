// What a bill that was taken apart adds up to.

import type { LedgerEntry } from '../src/accounting/entries.ts';
import type { Usage } from '../src/event/event.ts';
import { addUsage } from '../src/event/usage.ts';

/** Counts that were told, without those that are zero: an absent one and a zero are the same sum. */
export const counted = (usage: Usage): Usage =>
  Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== 0 && count !== undefined));

export const sumOf = (entries: readonly LedgerEntry[]): Usage =>
  counted(entries.map(({ usage }) => usage).reduce(addUsage, {}));

export const costOf = (entries: readonly LedgerEntry[]): number | undefined =>
  entries.some(({ costUsd }) => costUsd !== undefined)
    ? entries.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
    : undefined;
