import type { UsageEntry } from '../contract.ts';
import { sizeOf } from './take-apart.ts';

/** The entries of each session, in their order. */
export function bySession(entries: Iterable<UsageEntry>): Map<string, UsageEntry[]> {
  const sessions = new Map<string, UsageEntry[]>();
  for (const entry of entries) {
    const own = sessions.get(entry.sessionId);
    if (own) own.push(entry);
    else sessions.set(entry.sessionId, [entry]);
  }
  return sessions;
}

/** How much they tell. */
export function tokensIn(entries: readonly UsageEntry[]): number {
  return entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
}
