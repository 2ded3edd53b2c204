// The newest code with which somebody can come in, for as long as it is worth something.

import { CODE_MS } from '@tailrace/server';

export interface Code {
  readonly text: string;
  /** Then it is worth nothing any more. */
  readonly until: number;
  /** Somebody waits for it. */
  readonly isAsked: boolean;
}

export interface Codes {
  subscribe(listener: () => void): () => void;
  getSnapshot(): Code | undefined;
}

export interface CodeBoard extends Codes {
  show(text: string, isAsked: boolean): void;
  /** Somebody came in with it. */
  used(): void;
}

export function createCodes(): CodeBoard {
  const listeners = new Set<() => void>();
  let code: Code | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(next: Code | undefined): void {
    clearTimeout(timer);
    code = next;
    for (const listener of [...listeners]) listener();
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => code,
    show(text, isAsked) {
      set({ text, until: Date.now() + CODE_MS, isAsked });
      timer = setTimeout(() => set(undefined), CODE_MS);
      // Nobody stays for it.
      timer.unref();
    },
    used: () => set(undefined),
  };
}
