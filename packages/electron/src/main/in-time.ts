// Work of the app's own that may never settle: it is waited for, but not for ever.

import type { Clock } from '@tailrace/runner';

/** How long the app's store gets, in milliseconds. */
export const STORE_WAIT = 10_000;

/** As the work settles; rejects when it takes too long, and what becomes of it later is for nobody. */
export async function inTime<T>(work: T | PromiseLike<T>, clock: Clock, limit: number = STORE_WAIT): Promise<T> {
  let cancel = (): void => {};
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(limit, () => reject(new Error(`nothing came of it in ${limit / 1000} seconds`)));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
