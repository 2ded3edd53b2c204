// Sessions that have something of each other → what is each one's own. Their totals contain each other: what a fork tells is what
// the other session took until then, and what it took itself. So its own part is the difference, in tokens and in cost.

import type { UsageEntry } from '../contract.ts';

type Entries = Map<string, UsageEntry>;

/** Less than this is the noise of adding up. */
const NOTHING = 1e-12;

const COUNTS = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens', 'outputTokens'] as const;
type Counts = { -readonly [name in (typeof COUNTS)[number]]: number };

/** Each id once, with the first session that has it. */
export function takeApart(sessions: readonly (readonly UsageEntry[])[]): UsageEntry[] {
  const all: Entries = new Map();
  for (const entries of withBestSightings(sessions.map(byId))) {
    const own: UsageEntry[] = [];
    /** What it says that the others' entries cost, beyond what they say themselves. */
    let more = 0;
    for (const entry of entries.values()) {
      const before = all.get(entry.id);
      if (!before) {
        own.push(entry);
        continue;
      }
      const rest = entry.messages === 0 ? beyond(entry, before) : undefined;
      if (rest) own.push(rest);
      else if (entry.costUsd !== null && before.costUsd !== null) more += entry.costUsd - before.costUsd;
      if (entry.messages > 0) all.set(entry.id, merge(before, entry));
    }
    for (const entry of spread(own, more)) all.set(entry.id, entry);
  }
  return [...all.values()];
}

/** How many tokens an entry is about. */
export function sizeOf(entry: UsageEntry): number {
  return entry.inputTokens + entry.outputTokens;
}

/** In two files of one session: as the fold has it, the one with more output, at the time of the first. */
export function within(first: UsageEntry, second: UsageEntry): UsageEntry {
  if (second.outputTokens <= first.outputTokens) return first;
  return { ...second, at: first.at, model: first.model, subagentId: first.subagentId };
}

function byId(entries: readonly UsageEntry[]): Entries {
  const all: Entries = new Map();
  for (const entry of entries) {
    const before = all.get(entry.id);
    all.set(entry.id, before ? within(before, entry) : entry);
  }
  return all;
}

/** The greater sighting; a cost only where the first has none. */
function merge(first: UsageEntry, second: UsageEntry): UsageEntry {
  const { sessionId, subagentId, at, project, model } = first;
  const costUsd = first.costUsd ?? second.costUsd;
  return { ...(sizeOf(second) > sizeOf(first) ? second : first), sessionId, subagentId, at, project, model, costUsd };
}

/** Of the rests of one total the larger has the other in it: what it has beyond that. Under a name of its own, to stay apart. */
function beyond(rest: UsageEntry, before: UsageEntry): UsageEntry | undefined {
  const counts = countsOf((name) => Math.max(0, rest[name] - before[name]));
  if (counts.inputTokens + counts.outputTokens === 0) return undefined;
  const costUsd = rest.costUsd === null ? null : Math.max(0, rest.costUsd - (before.costUsd ?? 0));
  return { ...rest, ...counts, id: `${rest.id} ${rest.sessionId}`, costUsd };
}

/** One total was shared out over all: what the others' entries have too much of it is missing in its own, and the reverse. */
function spread(own: readonly UsageEntry[], more: number): readonly UsageEntry[] {
  const told = own.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  // Totals that do not contain each other: each is as it was told.
  if (Math.abs(more) < NOTHING || told <= 0 || told + more < 0) return own;
  const scale = (told + more) / told;
  return own.map((entry) => (entry.costUsd === null ? entry : { ...entry, costUsd: entry.costUsd * scale }));
}

/**
 * A run tells how an answer began, and its total leaves a rest. Another session may know how it ended: then that is where the rest
 * belongs, and it is not counted beside it.
 */
function withBestSightings(sessions: readonly Entries[]): readonly Entries[] {
  const best: Entries = new Map();
  for (const entries of sessions) {
    for (const entry of entries.values()) {
      const before = best.get(entry.id);
      if (entry.messages > 0 && (!before || sizeOf(entry) > sizeOf(before))) best.set(entry.id, entry);
    }
  }
  for (const entries of sessions) {
    const rests = [...entries.values()].filter(({ messages }) => messages === 0).map(({ id }) => id);
    if (rests.length === 0) continue;
    for (const entry of entries.values()) {
      const better = best.get(entry.id);
      if (better && sizeOf(better) > sizeOf(entry)) grow(entries, entry, better, rests);
    }
  }
  return sessions;
}

function grow(entries: Entries, entry: UsageEntry, better: UsageEntry, rests: readonly string[]): void {
  let grown = entry;
  for (const id of rests) {
    const rest = entries.get(id);
    if (!rest || rest.model !== entry.model) continue;
    const moved = countsOf((name) => Math.max(0, Math.min(better[name] - grown[name], rest[name])));
    const part = (moved.inputTokens + moved.outputTokens) / sizeOf(rest);
    if (!(part > 0)) continue;
    const cost = (rest.costUsd ?? 0) * part;
    const from = grown;
    grown = {
      ...from,
      ...countsOf((name) => from[name] + moved[name]),
      costUsd: rest.costUsd === null ? from.costUsd : (from.costUsd ?? 0) + cost,
    };
    if (part >= 1) entries.delete(id);
    else {
      const left = countsOf((name) => rest[name] - moved[name]);
      entries.set(id, { ...rest, ...left, costUsd: rest.costUsd === null ? null : rest.costUsd - cost });
    }
  }
  if (grown !== entry) entries.set(entry.id, grown);
}

function countsOf(count: (name: keyof Counts) => number): Counts {
  const counts: Counts = {
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    cacheWrite1hTokens: 0,
    outputTokens: 0,
  };
  for (const name of COUNTS) counts[name] = count(name);
  return counts;
}
