// Unified diffs, as tools print them: only the hunks, and how many lines they add and remove.

import type { FileChange } from '../event/event.ts';

const PLUS = 0x2b;
const MINUS = 0x2d;

/** The hunks of a diff of one file and what they amount to; nothing when there is no hunk. */
export function patchOf(diff: string): Required<Pick<FileChange, 'patch' | 'linesAdded' | 'linesRemoved'>> | undefined {
  const rows = diff.split('\n');
  const first = rows.findIndex((row) => row.startsWith('@@'));
  if (first < 0) return undefined;
  if (rows.at(-1) === '') rows.pop();
  const hunks = rows.slice(first);
  return { patch: hunks.join('\n'), ...countLines(hunks) };
}

/** Lines that a patch's rows add and remove. */
function countLines(rows: readonly string[]): { linesAdded: number; linesRemoved: number } {
  let linesAdded = 0;
  let linesRemoved = 0;
  for (const row of rows) {
    const mark = row.charCodeAt(0);
    if (mark === PLUS) linesAdded++;
    else if (mark === MINUS) linesRemoved++;
  }
  return { linesAdded, linesRemoved };
}
