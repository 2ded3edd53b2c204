// The same sessions told by two: the agent's own files, and what the store keeps. Files are deleted after a while, and a store may
// lag behind; a session only ever grows, so of the two the one that tells more is right.

import type { UsageEntry } from '../contract.ts';
import { countOnce } from './count-once.ts';
import { sizeOf } from './take-apart.ts';

/** Each session from the side that has more of it, each answer once over all. */
export function joinUsage(a: Iterable<UsageEntry>, b: Iterable<UsageEntry>): UsageEntry[] {
  const [left, right] = [bySession(a), bySession(b)];
  const ids = new Set([...left.keys(), ...right.keys()]);
  return countOnce(
    [...ids].map((id) => {
      const [one, other] = [left.get(id) ?? [], right.get(id) ?? []];
      return tokensOf(other) > tokensOf(one) ? other : one;
    }),
  );
}

function bySession(entries: Iterable<UsageEntry>): Map<string, UsageEntry[]> {
  const sessions = new Map<string, UsageEntry[]>();
  for (const entry of entries) {
    const own = sessions.get(entry.sessionId);
    if (own) own.push(entry);
    else sessions.set(entry.sessionId, [entry]);
  }
  return sessions;
}

function tokensOf(entries: readonly UsageEntry[]): number {
  return entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
}
