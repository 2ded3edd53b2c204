// The agent's stdin. Writes wait for each other and for the pipe; a pipe that breaks is told, never thrown.

import type { Writable } from 'node:stream';

export interface Stdin {
  /** Writes after everything that was written before. False: the pipe is closed, and nothing was written. */
  write(text: string): boolean;
  /** No more is to come; what was written still goes out. */
  close(): void;
  readonly isOpen: boolean;
}

/** `onBroken` hears once when the agent no longer reads. */
export function createStdin(stream: Writable, onBroken: (error: Error) => void): Stdin {
  const waiting: string[] = [];
  let isFull = false;
  let isOpen = true;

  stream.on('error', (error) => {
    const wasOpen = isOpen || waiting.length > 0;
    isOpen = false;
    waiting.length = 0;
    if (wasOpen) onBroken(error);
  });
  stream.on('drain', () => {
    isFull = false;
    flush();
  });

  function flush(): void {
    while (!isFull) {
      const next = waiting.shift();
      if (next === undefined) break;
      isFull = !stream.write(next);
    }
    if (!isOpen && waiting.length === 0) stream.end();
  }

  return {
    write(text) {
      if (!isOpen) return false;
      waiting.push(text);
      flush();
      return true;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      flush();
    },
    get isOpen() {
      return isOpen;
    },
  };
}
