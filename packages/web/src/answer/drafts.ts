// What somebody writes for an answer may lose its question meanwhile: then a word says why the field is gone.

import type { WaitingRequest } from '@tailrace/client/react';
import { useEffect } from 'react';
import { tell } from '../shell/note.ts';

/** Said of an answer that came too late, or that could not be finished. */
export const TOO_LATE = 'Somebody answered it meanwhile, or it is no longer asked.';

/** What is being written, by the name of its request, and the page that it is written on. */
const drafts = new Map<string, string>();

/** Something is being written for the request while `isOpen`. Whoever cancels it or sends it does not ask what became of it. */
export function useDraft(name: string, isOpen: boolean): void {
  // It stays when the card goes: that is what `useLostDrafts` looks for.
  useEffect(() => {
    if (isOpen) drafts.set(name, location.pathname);
    else drafts.delete(name);
  }, [name, isOpen]);
}

/** Says it when what was written for has gone. Whoever went to another page left it there. */
export function useLostDrafts(requests: readonly WaitingRequest[], nameOf: (request: WaitingRequest) => string): void {
  useEffect(() => {
    const names = new Set(requests.map(nameOf));
    for (const [name, page] of [...drafts]) {
      if (names.has(name)) continue;
      drafts.delete(name);
      if (page === location.pathname) tell(TOO_LATE);
    }
  }, [requests, nameOf]);
}
