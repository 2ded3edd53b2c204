import type { FileChange } from '@tailrace/core';
import type { ReactElement } from 'react';
import { countLines } from '../text/fold.ts';
import { type DiffLine, hunksOf } from '../text/hunks.ts';

export interface Counts {
  readonly added: number;
  readonly removed: number;
}

/** Longer texts are not compared only to count their lines. */
const LONGEST_COMPARED = 20_000;

/** How many lines came and went, as far as it is known. */
export function countsOf(changes: readonly FileChange[]): Counts | undefined {
  let [added, removed, isKnown] = [0, 0, false];
  for (const change of changes) {
    const counts = countsOfOne(change);
    if (!counts) continue;
    added += counts.added;
    removed += counts.removed;
    isKnown = true;
  }
  return isKnown ? { added, removed } : undefined;
}

const remembered = new WeakMap<FileChange, { readonly counts: Counts | undefined }>();

function countsOfOne(change: FileChange): Counts | undefined {
  const known = remembered.get(change);
  if (known) return known.counts;
  const counts = countLinesOf(change);
  remembered.set(change, { counts });
  return counts;
}

function countLinesOf(change: FileChange): Counts | undefined {
  const { linesAdded, linesRemoved, patch, operation, oldText, newText } = change;
  if (linesAdded !== undefined || linesRemoved !== undefined)
    return { added: linesAdded ?? 0, removed: linesRemoved ?? 0 };
  const isShort = (oldText?.length ?? 0) + (newText?.length ?? 0) <= LONGEST_COMPARED;
  const isComparable = typeof oldText === 'string' && newText !== undefined && isShort;
  if (patch !== undefined || isComparable) {
    const lines = hunksOf(change).flatMap((hunk) => hunk.lines);
    const count = (wanted: DiffLine['kind']): number => lines.filter(({ kind }) => kind === wanted).length;
    return { added: count('added'), removed: count('removed') };
  }
  if (operation === 'add' && newText !== undefined) return { added: countLines(newText), removed: 0 };
  return undefined;
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
