import type { FileChange } from '@tailrace/core';
import type { ReactElement } from 'react';
import { countLines } from '../text/fold.ts';

export interface Counts {
  readonly added: number;
  readonly removed: number;
}

/** How many lines came and went, as far as it is known without comparing. */
export function countsOf(changes: readonly FileChange[]): Counts | undefined {
  let [added, removed, isKnown] = [0, 0, false];
  for (const { linesAdded, linesRemoved, patch, operation, newText } of changes) {
    if (linesAdded !== undefined || linesRemoved !== undefined) {
      added += linesAdded ?? 0;
      removed += linesRemoved ?? 0;
      isKnown = true;
    } else if (patch !== undefined) {
      for (const line of patch.split('\n')) {
        if (line.startsWith('+')) added++;
        else if (line.startsWith('-')) removed++;
      }
      isKnown = true;
    } else if (operation === 'add' && newText !== undefined) {
      added += countLines(newText);
      isKnown = true;
    }
  }
  return isKnown ? { added, removed } : undefined;
}

/** `+30 −9`. */
export function ChangeCounts({ counts }: { readonly counts: Counts | undefined }): ReactElement | null {
  if (!counts) return null;
  return (
    <span className="text-xs whitespace-nowrap figures">
      <span className="text-good">+{counts.added}</span> <span className="text-bad">−{counts.removed}</span>
    </span>
  );
}
