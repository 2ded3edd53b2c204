// What stands in several sessions is counted once: a fork begins with the lines of another session, and goes on with its totals.

import type { UsageEntry } from '../contract.ts';

/**
 * Each id once. Of the same answer in several sessions the greatest sighting counts, and it stays with the session that began
 * first; what it cost is told by the session with the greatest total, which has the others' in it. Of the rests of one total the
 * larger counts: it has the other in it.
 */
export function countOnce(sessions: readonly (readonly UsageEntry[])[]): UsageEntry[] {
  const all = new Map<string, UsageEntry>();
  /** How large the session is that told the cost, of ids that were met before. */
  const tellers = new Map<string, number>();
  const sizes = new Map<string, number>();
  for (const { entries, size } of sessions.map(measure).sort((a, b) => a.begin - b.begin)) {
    sizes.set(entries[0]?.sessionId ?? '', size);
    for (const entry of entries) {
      const before = all.get(entry.id);
      if (!before) all.set(entry.id, entry);
      else if (before.sessionId === entry.sessionId) all.set(entry.id, within(before, entry));
      else if (before.messages === 0) all.set(entry.id, sizeOf(entry) > sizeOf(before) ? entry : before);
      else {
        const teller = tellers.get(entry.id) ?? sizes.get(before.sessionId) ?? 0;
        const isBetter = entry.costUsd !== null && (before.costUsd === null || size > teller);
        if (isBetter) tellers.set(entry.id, size);
        all.set(entry.id, merge(before, entry, isBetter));
      }
    }
  }
  return [...all.values()];
}

/** How many tokens an entry is about. */
export function sizeOf(entry: UsageEntry): number {
  return entry.inputTokens + entry.outputTokens;
}

/** In two files of one session: as the fold has it, the one with more output, at the time of the first. */
function within(first: UsageEntry, second: UsageEntry): UsageEntry {
  if (second.outputTokens <= first.outputTokens) return first;
  return { ...second, at: first.at, model: first.model, subagentId: first.subagentId };
}

function merge(first: UsageEntry, second: UsageEntry, isBetter: boolean): UsageEntry {
  const { sessionId, subagentId, at, project, model } = first;
  const { costUsd } = isBetter ? second : first;
  return { ...(sizeOf(second) > sizeOf(first) ? second : first), sessionId, subagentId, at, project, model, costUsd };
}

interface Measured {
  readonly entries: readonly UsageEntry[];
  readonly begin: number;
  readonly size: number;
}

function measure(entries: readonly UsageEntry[]): Measured {
  let begin = Number.POSITIVE_INFINITY;
  let size = 0;
  for (const entry of entries) {
    size += sizeOf(entry);
    if (entry.at !== null && entry.at < begin) begin = entry.at;
  }
  return { entries, begin, size };
}
