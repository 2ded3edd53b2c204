// The same sessions told by two: the agent's own files, and what the store keeps. Files are deleted after a while, and a store may
// lag behind; a session only ever grows, so of the two the one that tells more is right.

import type { UsageEntry } from '../contract.ts';
import { bySession, tokensIn } from './by-session.ts';
import { countOnce } from './count-once.ts';

/** Each session from the side that has more of it, each answer once over all. */
export function joinUsage(a: Iterable<UsageEntry>, b: Iterable<UsageEntry>): UsageEntry[] {
  const [left, right] = [bySession(a), bySession(b)];
  const ids = new Set([...left.keys(), ...right.keys()]);
  return countOnce(
    [...ids].map((id) => {
      const [one, other] = [left.get(id) ?? [], right.get(id) ?? []];
      return tokensIn(other) > tokensIn(one) ? other : one;
    }),
  );
}
