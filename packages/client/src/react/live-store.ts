// Something live, as React reads it: begun when the first component looks at it, ended when none does, and changed once per frame.

import { LINGER_MS } from '../limits.ts';
import type { Frames } from './frames.ts';

/** What goes on while somebody looks. */
export interface Source<T> {
  /** What there is to see now. */
  read(): T;
  stop(): void;
}

export interface LiveStore<T, S extends Source<T> = Source<T>> {
  subscribe(listener: () => void): () => void;
  getSnapshot(): T;
  /** What goes on; nothing while nobody looks. */
  readonly source: S | undefined;
}

/** `start` is given what tells that there is something new to see. */
export function createLiveStore<T, S extends Source<T> = Source<T>>(
  initial: T,
  frames: Frames,
  start: (touch: () => void) => S,
): LiveStore<T, S> {
  const listeners = new Set<() => void>();
  let source: S | undefined;
  let shown = initial;
  let ending: ReturnType<typeof setTimeout> | undefined;

  /** Components see what was shown last until all of them are told: no two of them see different things. */
  function show(): void {
    if (!source) return;
    shown = source.read();
    for (const listener of [...listeners]) listener();
  }

  function end(): void {
    source?.stop();
    source = undefined;
    shown = initial;
  }

  return {
    subscribe(listener) {
      // In strict mode, and when a part of a page is exchanged, somebody else looks a moment later.
      clearTimeout(ending);
      // Whoever looks twice is two.
      const own = (): void => listener();
      listeners.add(own);
      source ??= start(() => frames.request(show));
      return () => {
        listeners.delete(own);
        if (listeners.size > 0) return;
        clearTimeout(ending);
        ending = setTimeout(end, LINGER_MS);
      };
    },
    getSnapshot: () => shown,
    get source() {
      return source;
    },
  };
}
