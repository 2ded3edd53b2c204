// Remembers the descendants of a run while it goes on: once a parent has ended, nothing tells whose child an orphan was.

import type { ProcessTable } from './entry.ts';
import { systemTable } from './table.ts';
import type { Remembered } from './targets.ts';

/**
 * Adds what descends from those that are remembered, and forgets those that have ended. Cheap, for it looks at nobody else;
 * where the system cannot be asked so, it does nothing.
 */
export function followDescendants(remembered: Remembered, table: ProcessTable = systemTable): void {
  if (!table.childrenOf) return;
  // A map gives what is put into it on the way, too.
  for (const [pid, startTime] of remembered) {
    const children = table.childrenOf(pid).map((child) => [child, table.startTimeOf(child)] as const);
    // Asked after the children: else they might be those of a later process with this number.
    if (table.startTimeOf(pid) !== startTime) {
      remembered.delete(pid);
      continue;
    }
    for (const [child, childStart] of children) if (childStart !== undefined) remembered.set(child, childStart);
  }
}
