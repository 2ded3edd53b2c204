// One answer to one request: not before it could be read, not twice, and with a word when it came too late.

import { usePermissions, type WaitingRequest } from '@tailrace/client/react';
import type { Answer } from '@tailrace/core';
import { useRef, useState } from 'react';
import { tell } from '../shell/note.ts';
import { TOO_LATE, useDraft } from './drafts.ts';
import { useArmed } from './use-armed.ts';

export interface Answering {
  /** Gives the answer, unless it is too early for one or one was given. */
  give(answer: Answer): void;
  /** An answer is on its way. */
  readonly isGiven: boolean;
  /** Why the last one did not arrive; another can be given. */
  readonly problem: string | null;
  /** Something is being written for an answer, or no longer. */
  setWriting(isWriting: boolean): void;
}

export function useAnswering(request: WaitingRequest): Answering {
  const { requests, answer } = usePermissions();
  // When another one comes or goes, this one may have moved under the pointer.
  const isArmed = useArmed(requests.map(nameOf).join());
  const isTaken = useRef(false);
  const [isGiven, setGiven] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  useDraft(nameOf(request), isWriting && !isGiven);

  async function send(given: Answer): Promise<void> {
    try {
      const isOurs = await answer(request, given);
      if (!isOurs) tell(TOO_LATE);
    } catch (failure) {
      isTaken.current = false;
      setGiven(false);
      setProblem(failure instanceof Error ? failure.message : String(failure));
    }
  }

  return {
    give(given) {
      if (!isArmed() || isTaken.current || request.isAnswered) return;
      isTaken.current = true;
      setGiven(true);
      setProblem(null);
      void send(given);
    },
    isGiven: isGiven || request.isAnswered,
    problem,
    setWriting,
  };
}

/** A request that is shown anew with something else in it is another one. */
export function nameOf({ runId, request, digest }: WaitingRequest): string {
  return JSON.stringify([runId, request.requestId, digest]);
}
