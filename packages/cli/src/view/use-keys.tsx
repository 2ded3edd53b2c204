// Who hears keys. Each key is heard, and what it does is drawn, before the next one is: what is typed in a hurry goes where it would
// have gone slowly.

import { useInput } from 'ink';
import { createContext, type ReactElement, type ReactNode, useContext, useLayoutEffect, useState } from 'react';
import { type KeyName, keysOf } from './keys.ts';

type Listener = (key: KeyName) => void;

interface KeyBoard {
  press(keys: readonly KeyName[]): void;
  /** Gives back what ends it. */
  listen(listener: Listener): () => void;
}

function createKeyBoard(): KeyBoard {
  const listeners = new Set<Listener>();
  const waiting: KeyName[] = [];
  let isBusy = false;

  function next(): void {
    const key = waiting.shift();
    isBusy = key !== undefined;
    if (key === undefined) return;
    for (const listener of [...listeners]) listener(key);
    // Not at once: what this one did is to be drawn first.
    setImmediate(next);
  }

  return {
    press(keys) {
      waiting.push(...keys);
      if (!isBusy) next();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const KeyBoardContext = createContext<KeyBoard>(createKeyBoard());

export function KeyBoardProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [board] = useState(createKeyBoard);
  useInput((input, key) => board.press(keysOf(input, key)));
  return <KeyBoardContext value={board}>{children}</KeyBoardContext>;
}

/** Hears keys while it is active. */
export function useKeys(take: Listener, isActive = true): void {
  const board = useContext(KeyBoardContext);
  // With each drawing anew: it is to see what is drawn.
  useLayoutEffect(() => (isActive ? board.listen(take) : undefined));
}
