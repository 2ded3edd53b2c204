// Who hears keys. Each key is heard, and what it does is drawn, before the next one is: what is typed in a hurry goes where it would
// have gone slowly.

import { useStdin } from 'ink';
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { createKeyReader, type KeyName } from './keys.ts';

type Listener = (key: KeyName) => void;

interface KeyBoard {
  press(keys: readonly KeyName[]): void;
  /** What the last key did is on the screen: the next one is heard. */
  drawn(): void;
  /** Gives back what ends it. Who is alone hears every key, and nobody else any. */
  listen(listener: Listener, isAlone: boolean): () => void;
}

/** Is told of each key that was heard, and has to say when what it did is drawn. */
function createKeyBoard(onHeard: () => void): KeyBoard {
  const listeners = new Set<Listener>();
  const alone = new Set<Listener>();
  const waiting: KeyName[] = [];
  let isBusy = false;

  function next(): void {
    const key = waiting.shift();
    isBusy = key !== undefined;
    if (key === undefined) return;
    for (const listener of [...(alone.size > 0 ? alone : listeners)]) listener(key);
    onHeard();
  }

  return {
    press(keys) {
      waiting.push(...keys);
      if (!isBusy) next();
    },
    drawn() {
      // Not at once: nothing is pressed while something is being drawn.
      if (isBusy) setImmediate(next);
    },
    listen(listener, isAlone) {
      const own = isAlone ? alone : listeners;
      own.add(listener);
      return () => void own.delete(listener);
    },
  };
}

const KeyBoardContext = createContext<KeyBoard>(createKeyBoard(() => {}));

export function KeyBoardProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [heard, setHeard] = useState(0);
  const [board] = useState(() => createKeyBoard(() => setHeard((count) => count + 1)));
  // Drawn together with what the key did, and told after everybody below has heard of it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each key that was heard
  useLayoutEffect(() => board.drawn(), [board, heard]);
  const { setRawMode, internal_eventEmitter: sequences } = useStdin();
  useEffect(() => {
    const read = createKeyReader();
    // Ink has cut what came into sequences and characters.
    const take = (input: string): void => board.press(read(input));
    setRawMode(true);
    sequences?.on('input', take);
    return () => {
      sequences?.off('input', take);
      setRawMode(false);
    };
  }, [board, setRawMode, sequences]);
  return <KeyBoardContext value={board}>{children}</KeyBoardContext>;
}

/** Hears keys while it is active. */
export function useKeys(take: Listener, isActive = true): void {
  const board = useContext(KeyBoardContext);
  // With each drawing anew: it is to see what is drawn.
  useLayoutEffect(() => (isActive ? board.listen(take, false) : undefined));
}

/** Hears every key while it is active, and nobody else hears any: for whoever writes. */
export function useAllKeys(take: Listener, isActive = true): void {
  const board = useContext(KeyBoardContext);
  useLayoutEffect(() => (isActive ? board.listen(take, true) : undefined));
}
