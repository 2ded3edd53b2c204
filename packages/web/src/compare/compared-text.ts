// Two texts side by side: which words are only in one of them.

import { diffWordsWithSpace } from 'diff';

export interface Stretch {
  readonly text: string;
  /** The other text does not have it. */
  readonly isOwn: boolean;
}

export interface ComparedText {
  readonly first: readonly Stretch[];
  readonly second: readonly Stretch[];
}

/** Longer ones are shown as they are. */
const LONGEST = 100_000;
const PATIENCE_MS = 300;

export function compareTexts(first: string, second: string): ComparedText {
  const changes =
    first.length + second.length > LONGEST ? undefined : diffWordsWithSpace(first, second, { timeout: PATIENCE_MS });
  if (!changes) return { first: [{ text: first, isOwn: false }], second: [{ text: second, isOwn: false }] };
  return {
    first: changes.flatMap(({ added, removed, value }) => (added ? [] : [{ text: value, isOwn: removed }])),
    second: changes.flatMap(({ added, removed, value }) => (removed ? [] : [{ text: value, isOwn: added }])),
  };
}
