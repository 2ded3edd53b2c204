// How many lines a change of a file adds and removes. Apart from the rows that show it: whoever wants only the end needs the figures
// and nothing else.

import type { AgentStreamEvent, FileChange } from '@tailrace/core';

export interface LineCount {
  readonly added: number;
  readonly removed: number;
  /** There were changes that nobody counted. */
  readonly isPartial?: boolean;
}

export interface LineCounter {
  add(event: AgentStreamEvent): void;
  /** All lines so far. */
  readonly lines: LineCount;
}

const PLUS = 0x2b;
const MINUS = 0x2d;

export function createLineCounter(): LineCounter {
  const lines = { added: 0, removed: 0, isPartial: false };
  return {
    lines,
    add(event) {
      if (event.type !== 'file-change' || event.outcome !== 'success') return;
      for (const change of event.changes) {
        const count = countChange(change);
        lines.added += count?.added ?? 0;
        lines.removed += count?.removed ?? 0;
        lines.isPartial ||= count === undefined;
      }
    },
  };
}

/** How many lines a change adds and removes; nothing where nobody told. */
export function countChange(change: FileChange): LineCount | undefined {
  if (!known.has(change)) known.set(change, count(change));
  return known.get(change);
}

/** A change is counted once: for its card, for its rows, and for the end. */
const known = new WeakMap<FileChange, LineCount | undefined>();

function count(change: FileChange): LineCount | undefined {
  const { linesAdded, linesRemoved, operation, patch, newText } = change;
  if (linesAdded !== undefined || linesRemoved !== undefined)
    return { added: linesAdded ?? 0, removed: linesRemoved ?? 0 };
  const text = patch || (operation === 'add' ? newText : '') || '';
  const lines = { added: 0, removed: 0 };
  for (let start = 0, end = 0; start < text.length && end >= 0; start = end + 1) {
    end = text.indexOf('\n', start);
    const sign = patch ? text.charCodeAt(start) : PLUS;
    if (sign === PLUS) lines.added++;
    else if (sign === MINUS) lines.removed++;
  }
  return lines.added + lines.removed > 0 ? lines : undefined;
}
