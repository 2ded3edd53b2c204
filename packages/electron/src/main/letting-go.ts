// What nobody may ever settle is let go of when it is wanted no more, as when the app ends: a question to a person has no answer then.

export interface LettingGo {
  readonly signal: AbortSignal;
  /** As the work settles; rejects as soon as it is closed, whatever becomes of the work. */
  unlessClosed<T>(work: T | PromiseLike<T>): Promise<T>;
  close(): void;
}

/** `why` is said to those who wait. */
export function createLettingGo(why: () => Error): LettingGo {
  const waiting = new Set<(error: Error) => void>();
  const controller = new AbortController();
  return {
    signal: controller.signal,
    unlessClosed: (work) =>
      new Promise((resolve, reject) => {
        if (controller.signal.aborted) reject(why());
        else waiting.add(reject);
        Promise.resolve(work)
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      }),
    close() {
      controller.abort(why());
      for (const reject of waiting) reject(why());
      waiting.clear();
    },
  };
}
