// One answer to one request: not before it could be read, not twice, and with a word when it came too late (T-20, T-21).

import { usePermissions, type WaitingRequest } from '@tailrace/client/react';
import type { Answer } from '@tailrace/core';
import { useEffect, useRef, useState } from 'react';
import { noteLines } from '../screen.tsx';
import { type Line, span } from '../text/line.ts';

/** Said of an answer that came too late, or that could not be finished. */
export const TOO_LATE = 'Somebody answered it meanwhile, or it is no longer asked.';

/** So long no key is taken: one that was meant for what stood here before must not answer this. */
const ARM_MS = 500;

export interface Answering {
  /** Gives the answer, unless it is too early for one, one was given, or nobody would hear it; tells whether it did. */
  give(answer: Answer): boolean;
  readonly isArmed: boolean;
  readonly isGiven: boolean;
  /** The server is not there: what was given may not have arrived. */
  readonly isLost: boolean;
  /** Why the last one did not arrive; another can be given. */
  readonly problem: string | undefined;
}

/** A request that is shown anew with something else in it is another one. */
export function nameOf({ runId, request, digest }: WaitingRequest): string {
  return JSON.stringify([runId, request.requestId, digest]);
}

/** Whether it has been on the screen for long enough; with another name it is something else. */
export function useArmed(name: string): boolean {
  const [armed, setArmed] = useState('');
  useEffect(() => {
    // From when it was drawn.
    const timer = setTimeout(() => setArmed(name), ARM_MS);
    return () => clearTimeout(timer);
  }, [name]);
  return armed === name;
}

/** Said of an answer that was given, until it has arrived. */
export function givenLine({ isLost }: Answering): Line {
  return isLost
    ? [span(' Nobody knows whether your answer arrived.', 'bad')]
    : [span(' Your answer is on its way …', 'muted')];
}

/** Why an answer did not arrive; else, as long as none is on its way, the note. */
export function toldLines({ problem, isGiven }: Answering, note: string, width: number): readonly Line[] {
  if (problem !== undefined) return noteLines(`It did not arrive: ${problem}`, width, 'bad');
  return isGiven ? [] : noteLines(note, width);
}

/** An answer that nobody hears now is not kept for later: what it would be given to may be something else by then. */
export function useAnswering(request: WaitingRequest, tell: (note: string) => void, isLost: boolean): Answering {
  const { answer } = usePermissions();
  const name = nameOf(request);
  const isArmed = useArmed(name);
  const taken = useRef('');
  const [given, setGiven] = useState('');
  const [problem, setProblem] = useState<string>();
  /** It was tried while nobody could hear it. */
  const [isRefused, setRefused] = useState(false);

  async function send(wanted: Answer): Promise<void> {
    try {
      const isOurs = await answer(request, wanted);
      if (!isOurs) tell(TOO_LATE);
    } catch (failure) {
      taken.current = '';
      setGiven('');
      setProblem(failure instanceof Error ? failure.message : String(failure));
    }
  }

  return {
    isArmed,
    isGiven: given === name || request.isAnswered,
    isLost,
    problem: isLost && isRefused ? 'the server cannot be reached' : problem,
    give(wanted) {
      if (!isArmed || taken.current === name || request.isAnswered) return false;
      setRefused(isLost);
      if (isLost) return false;
      taken.current = name;
      setGiven(name);
      setProblem(undefined);
      void send(wanted);
      return true;
    },
  };
}
