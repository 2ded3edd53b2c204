// What was written and not sent, by session: whoever comes back to one goes on writing.

import { type Draft, EMPTY } from './draft.ts';

export interface KeptDrafts {
  of(sessionId: string): Draft;
  keep(sessionId: string, draft: Draft): void;
  /** The session has another name. */
  move(from: string, to: string): void;
}

export function createKeptDrafts(): KeptDrafts {
  const drafts = new Map<string, Draft>();

  function keep(sessionId: string, draft: Draft): void {
    if (draft.text === '') drafts.delete(sessionId);
    else drafts.set(sessionId, draft);
  }

  return {
    keep,
    of: (sessionId) => drafts.get(sessionId) ?? EMPTY,
    move(from, to) {
      const draft = drafts.get(from);
      if (draft === undefined || from === to) return;
      drafts.delete(from);
      keep(to, draft);
    },
  };
}
