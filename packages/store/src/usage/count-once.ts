// What stands in several sessions is counted once: a fork begins with the lines of another session, and goes on with its totals.

import type { UsageEntry } from '../contract.ts';
import { takeApart, within } from './take-apart.ts';

/**
 * Each id once. An answer that stands in several sessions stays with the one that began first, and the others have only what is
 * their own.
 */
export function countOnce(sessions: readonly (readonly UsageEntry[])[]): UsageEntry[] {
  const all = new Map<string, UsageEntry>();
  /** Sessions that have something of each other: few, so that nothing of this costs anything for the others. */
  const kin = new Set<string>();
  const ordered = sessions.map(measure).sort(byBegin);
  for (const { entries } of ordered) {
    for (const entry of entries) {
      const before = all.get(entry.id);
      if (!before) all.set(entry.id, entry);
      else if (before.sessionId === entry.sessionId) all.set(entry.id, within(before, entry));
      else kin.add(before.sessionId).add(entry.sessionId);
    }
  }
  if (kin.size === 0) return [...all.values()];
  const alone = [...all.values()].filter(({ sessionId }) => !kin.has(sessionId));
  const related = ordered.filter(({ sessionId }) => kin.has(sessionId));
  return [...alone, ...takeApart(related.map(({ entries }) => entries))];
}

export interface Measured {
  readonly sessionId: string;
  readonly entries: readonly UsageEntry[];
  readonly begin: number;
  readonly end: number;
}

/** When a session began and ended. */
export function measure(entries: readonly UsageEntry[]): Measured {
  let begin = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const { at } of entries) {
    if (at === null) continue;
    if (at < begin) begin = at;
    if (at > end) end = at;
  }
  return { sessionId: entries[0]?.sessionId ?? '', entries, begin, end };
}

/** A fork's file begins with the very answers of the other; mostly it is the fork that is gone on with. */
export function byBegin(a: Measured, b: Measured): number {
  if (a.begin !== b.begin) return a.begin < b.begin ? -1 : 1;
  if (a.end !== b.end) return a.end < b.end ? -1 : 1;
  return a.sessionId < b.sessionId ? -1 : Number(a.sessionId > b.sessionId);
}
