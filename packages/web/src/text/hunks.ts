// A change of a file as lines to show: from the hunks that the agent told, or from the text before and after.

import type { FileChange } from '@tailrace/core';
import { structuredPatch } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** Where it stands, as far as it is known. */
  readonly oldNumber?: number;
  readonly newNumber?: number;
  /** The file ends here without a line break. */
  readonly isUnended?: true;
}

export interface Hunk {
  /** What the agent says it is in: `function total()`. */
  readonly title: string;
  readonly lines: readonly DiffLine[];
}

/** Longer than this nobody waits for a comparison; then the old text is shown as removed, the new one as added. */
const PATIENCE_MS = 300;

/** Nothing where only the fact of the change is known. */
export function hunksOf({ patch, oldText, newText, operation }: FileChange): readonly Hunk[] {
  if (patch !== undefined && patch !== '') return withoutCarriageReturns(parseHunks(patch.split('\n')));
  if (typeof oldText === 'string' && newText !== undefined) return withoutCarriageReturns(compare(oldText, newText));
  if (newText !== undefined && newText !== '') {
    // Of a file whose old text nobody told, the new one is all that can be shown.
    const kind = operation === 'modify' ? 'same' : 'added';
    return withoutCarriageReturns([{ title: '', lines: numbered(kind, newText) }]);
  }
  if (typeof oldText === 'string' && oldText !== '' && operation === 'delete') {
    return withoutCarriageReturns([{ title: '', lines: numbered('removed', oldText) }]);
  }
  return [];
}

const HEADER = /^@@(?: -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@)?(.*)$/s;

function parseHunks(rows: readonly string[]): readonly Hunk[] {
  const hunks: { title: string; lines: DiffLine[] }[] = [];
  let [oldNumber, newNumber]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const [index, row] of rows.entries()) {
    const header = HEADER.exec(row);
    if (header) {
      hunks.push({ title: (header[3] ?? '').trim(), lines: [] });
      [oldNumber, newNumber] = [header[1], header[2]].map((told) => (told === undefined ? undefined : Number(told)));
      continue;
    }
    if (hunks.length === 0) {
      // What stands before the first hunk names the file, which is known.
      if (/^(?:diff |index |--- |\+\+\+ |=+$)/.test(row)) continue;
      hunks.push({ title: '', lines: [] });
    }
    const lines = hunks.at(-1)?.lines ?? [];
    if (row === '' && index === rows.length - 1) break;
    if (row.startsWith('\\')) {
      const last = lines.pop();
      if (last) lines.push({ ...last, isUnended: true });
      continue;
    }
    const kind = row.startsWith('+') ? 'added' : row.startsWith('-') ? 'removed' : 'same';
    lines.push({
      kind,
      text: /^[ +-]/.test(row) ? row.slice(1) : row,
      ...(kind !== 'added' && oldNumber !== undefined && { oldNumber: oldNumber++ }),
      ...(kind !== 'removed' && newNumber !== undefined && { newNumber: newNumber++ }),
    });
  }
  return hunks.filter(({ lines }) => lines.length > 0);
}

function compare(oldText: string, newText: string): readonly Hunk[] {
  const patch = structuredPatch('', '', oldText, newText, '', '', { context: 3, timeout: PATIENCE_MS });
  if (!patch) return [{ title: '', lines: [...numbered('removed', oldText), ...numbered('added', newText)] }];
  return patch.hunks.flatMap(({ oldStart, newStart, lines }) =>
    parseHunks([`@@ -${oldStart} +${newStart} @@`, ...lines]),
  );
}

function numbered(kind: DiffLine['kind'], text: string): readonly DiffLine[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => ({
      kind,
      text: line,
      ...(kind === 'removed' ? { oldNumber: index + 1 } : { newNumber: index + 1 }),
    }));
}

/** Where all lines end the same way, the way is of no interest; where they differ, it is. */
function withoutCarriageReturns(hunks: readonly Hunk[]): readonly Hunk[] {
  const all = hunks.every(({ lines }) =>
    lines.every(({ text, isUnended }) => text.endsWith('\r') || isUnended === true),
  );
  if (!all) return hunks;
  return hunks.map(({ title, lines }) => ({
    title,
    lines: lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, '') })),
  }));
}
