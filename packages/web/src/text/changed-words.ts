// Which words of a changed line are new, and which are gone.

import { diffWordsWithSpace } from 'diff';
import type { DiffLine } from './hunks.ts';

export interface Words {
  readonly text: string;
  readonly isChanged: boolean;
}

const LONGEST_LINE = 400;
const LONGEST_RUN = 30;
const PATIENCE_MS = 10;

/** The words of the lines that took each other's place. A line that has little in common with the other is left whole. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, readonly Words[]> {
  const words = new Map<DiffLine, readonly Words[]>();
  for (const { removed, added } of runsOf(lines)) {
    if (removed.length !== added.length || removed.length > LONGEST_RUN) continue;
    for (const [index, before] of removed.entries()) {
      const after = added[index];
      if (!after || before.text.length > LONGEST_LINE || after.text.length > LONGEST_LINE) continue;
      const changes = diffWordsWithSpace(before.text, after.text, { timeout: PATIENCE_MS });
      if (!changes) continue;
      const kept = changes.reduce(
        (sum, { added: isNew, removed: isGone, value }) => (isNew || isGone ? sum : sum + value.trim().length),
        0,
      );
      if (kept * 3 < Math.max(before.text.trim().length, after.text.trim().length)) continue;
      words.set(
        before,
        changes.flatMap(({ added: isNew, removed: isGone, value }) =>
          isNew ? [] : [{ text: value, isChanged: isGone }],
        ),
      );
      words.set(
        after,
        changes.flatMap(({ added: isNew, removed: isGone, value }) =>
          isGone ? [] : [{ text: value, isChanged: isNew }],
        ),
      );
    }
  }
  return words;
}

interface Run {
  readonly removed: readonly DiffLine[];
  readonly added: readonly DiffLine[];
}

/** Lines that are removed, with those that are added right after them. */
function runsOf(lines: readonly DiffLine[]): readonly Run[] {
  const runs: { removed: DiffLine[]; added: DiffLine[] }[] = [];
  let run: { removed: DiffLine[]; added: DiffLine[] } | undefined;
  for (const line of lines) {
    if (line.kind === 'same') run = undefined;
    else if (line.kind === 'removed') {
      if (!run || run.added.length > 0) {
        run = { removed: [], added: [] };
        runs.push(run);
      }
      run.removed.push(line);
    } else {
      if (!run) {
        run = { removed: [], added: [] };
        runs.push(run);
      }
      run.added.push(line);
    }
  }
  return runs;
}

/** A row of the view side by side: what stood there, what stands there. */
export interface Pair {
  readonly before?: DiffLine;
  readonly after?: DiffLine;
}

export function pairsOf(lines: readonly DiffLine[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  function flush(): void {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      const [before, after] = [removed[index], added[index]];
      pairs.push({ ...(before && { before }), ...(after && { after }) });
    }
    [removed, added] = [[], []];
  }
  for (const line of lines) {
    if (line.kind === 'same') {
      flush();
      pairs.push({ before: line, after: line });
    } else if (line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else added.push(line);
  }
  flush();
  return pairs;
}
