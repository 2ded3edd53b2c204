// What nobody may ever settle is let go of when the app ends: a question to a person has no answer then.

import { TailraceError } from '@tailrace/runner';

export interface LettingGo {
  readonly isClosed: boolean;
  /** As the work settles; rejects as soon as the app is about to end, whatever becomes of the work. */
  unlessClosed<T>(work: T | PromiseLike<T>): Promise<T>;
  close(): void;
}

export function createLettingGo(): LettingGo {
  const waiting = new Set<(error: Error) => void>();
  let isClosed = false;
  return {
    get isClosed() {
      return isClosed;
    },
    unlessClosed: (work) =>
      new Promise((resolve, reject) => {
        if (isClosed) reject(aboutToEnd());
        else waiting.add(reject);
        Promise.resolve(work)
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      }),
    close() {
      isClosed = true;
      for (const reject of waiting) reject(aboutToEnd());
      waiting.clear();
    },
  };
}

export function aboutToEnd(): TailraceError {
  return new TailraceError('closed', 'the app is about to end; nothing is started any more');
}
