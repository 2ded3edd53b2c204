// What was written and not sent, by session: whoever comes back to one goes on writing.

import { type Draft, EMPTY } from './draft.ts';

export interface KeptDrafts {
  of(sessionId: string): Draft;
  keep(sessionId: string, draft: Draft): void;
  /** Whether its box is open. */
  isOpen(sessionId: string): boolean;
  setOpen(sessionId: string, isOpen: boolean): void;
  /** The session has another name. */
  move(from: string, to: string): void;
}

export function createKeptDrafts(): KeptDrafts {
  const drafts = new Map<string, Draft>();
  const open = new Set<string>();

  function setOpen(sessionId: string, isOpen: boolean): void {
    if (isOpen) open.add(sessionId);
    else open.delete(sessionId);
  }

  function keep(sessionId: string, draft: Draft): void {
    if (draft.text === '') drafts.delete(sessionId);
    else drafts.set(sessionId, draft);
  }

  return {
    keep,
    of: (sessionId) => drafts.get(sessionId) ?? EMPTY,
    isOpen: (sessionId) => open.has(sessionId),
    setOpen,
    move(from, to) {
      if (from === to) return;
      if (open.delete(from)) open.add(to);
      const draft = drafts.get(from);
      if (draft === undefined) return;
      drafts.delete(from);
      keep(to, draft);
    },
  };
}
