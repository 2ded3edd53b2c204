// How many lines came and went in each file, counted as on the cards of the changes.

import { type Conversation, type FileChange, filesChanged, type Part } from '@tailrace/core';
import { type Counts, countsOf } from '../cards/change-counts.tsx';

export interface CountedFile {
  /** From the working directory where it lies in it. */
  readonly path: string;
  readonly operation: FileChange['operation'];
  /** Nothing where nobody told what changed. */
  readonly counts: Counts | undefined;
}

/** The files that were changed, each once, in the order of their first change. */
export function countedFiles(conversation: Conversation): readonly CountedFile[] {
  const { cwd, parts } = conversation;
  const byPath = new Map<string, FileChange[]>();
  for (const chunk of parts)
    for (const change of chunk.flatMap(changesOf)) {
      const path = cwd !== null && change.path.startsWith(`${cwd}/`) ? change.path.slice(cwd.length + 1) : change.path;
      const known = byPath.get(path);
      if (known) known.push(change);
      else byPath.set(path, [change]);
    }
  return filesChanged(conversation).map(({ path, operation }) => ({
    path,
    operation,
    counts: countsOf(byPath.get(path) ?? []),
  }));
}

/** All together, as far as they are known. */
export function sumOf(files: readonly CountedFile[]): Counts | undefined {
  const known = files.flatMap(({ counts }) => counts ?? []);
  if (known.length === 0) return undefined;
  return {
    added: known.reduce((sum, { added }) => sum + added, 0),
    removed: known.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** What a part changed: not what failed, was hidden or taken back. */
function changesOf(part: Part): readonly FileChange[] {
  const isCounted = part.hidden === undefined && part.retracted === undefined;
  return isCounted && 'changes' in part && part.changesOutcome === undefined ? (part.changes ?? []) : [];
}
