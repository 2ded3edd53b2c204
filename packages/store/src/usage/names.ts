import { countedAgent } from '@tailrace/core';
import type { NamedBy, UsageNames } from '../contract.ts';

const COUNTED = [countedAgent];
const MAIN = ['main'];
const NOBODY: readonly string[] = [];

/** What entries go under, also those that only the agents' own files tell of: `kept` is what the store knows, where there is one. */
export function namesWithFiles(by: NamedBy, kept?: UsageNames): UsageNames {
  return (entry) => {
    const known = kept?.(entry) ?? NOBODY;
    if (known.length > 0) return known;
    if (by === 'agent') return COUNTED;
    // The rest of a total is of all threads.
    return by === 'subagent' && entry.subagentId === null && entry.messages > 0 ? MAIN : NOBODY;
  };
}
