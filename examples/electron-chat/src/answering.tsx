// An answer that is meant: not before it could be read, not by half a double click or a key that is held down, and once.

import type { Answer } from '@tailrace/core';
import { type ReactNode, type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** So long nothing is taken: a press that was meant for what stood here before must not answer this. */
const ARM_MS = 500;

export interface Answering {
  /** Gives the answer, unless it is too early for one or one was given. */
  give(answer: Answer): void;
  readonly isGiven: boolean;
}

/** `about` is all that waits: when it changes, what is on the screen may have moved. `onAnswer` tells whether the answer arrived. */
export function useAnswering(about: string, onAnswer: (answer: Answer) => Promise<boolean>): Answering {
  const since = useRef(Number.POSITIVE_INFINITY);
  const isTaken = useRef(false);
  const [isGiven, setGiven] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what it is about begins anew
  useLayoutEffect(() => {
    since.current = Number.POSITIVE_INFINITY;
    // In a window that nobody sees there are no frames, and no time passes.
    const frame = requestAnimationFrame(() => {
      since.current = performance.now();
    });
    return () => cancelAnimationFrame(frame);
  }, [about]);

  function taken(is: boolean): void {
    isTaken.current = is;
    setGiven(is);
  }
  return {
    isGiven,
    give(answer) {
      if (isTaken.current || performance.now() - since.current < ARM_MS) return;
      taken(true);
      onAnswer(answer).then((hasArrived) => {
        if (!hasArrived) taken(false);
      });
    },
  };
}

interface ButtonProps {
  readonly children: ReactNode;
  readonly isDead: boolean;
  /** The id of the sentence that says why it cannot be pressed. */
  readonly lockedBy?: string | undefined;
  /** Without it the button sends its form. */
  readonly onPress?: (() => void) | undefined;
}

export function AnswerButton({ children, isDead, lockedBy, onPress }: ButtonProps): ReactNode {
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      disabled={isDead}
      aria-disabled={lockedBy !== undefined}
      aria-describedby={lockedBy}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
      onClick={(event) => {
        if (event.detail > 1 || lockedBy !== undefined) event.preventDefault();
        else onPress?.();
      }}
    >
      {children}
    </button>
  );
}

/** Whether the end of something was on the screen: `ref` belongs to a mark there. Once seen, it stays so. */
export function useEndSeen(): { readonly ref: RefCallback<Element>; readonly isSeen: boolean } {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((mark: Element | null) => {
    if (!mark) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(mark);
    return () => observer.disconnect();
  }, []);
  return { ref, isSeen };
}
