// Keeps the history up to date while somebody listens, and says when something is new. Lines come from runs of this process, which
// say so, and from other processes, whose writing is seen by looking.

import type { Store } from '@tailrace/store';
import { LOOK_MS, REST_LOOK_MS, RETRY_MS, ROUND_MS } from './limits.ts';

export interface StoreFollower {
  /** Something was written here. */
  wake(): void;
  close(): Promise<void>;
}

export interface FollowOptions {
  readonly store: Pick<Store, 'history' | 'hasChanged'>;
  /** Something new may be told. */
  onNews(): Promise<void>;
  onError?(error: unknown): void;
}

export function followStore({ store, onNews, onError }: FollowOptions): StoreFollower {
  const stop = new AbortController();
  let isWoken = true;
  let wakeUp: (() => void) | undefined;

  function wake(): void {
    isWoken = true;
    wakeUp?.();
  }

  /** For so long, or until somebody wakes it. */
  function rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, milliseconds);
      function done(): void {
        clearTimeout(timer);
        wakeUp = undefined;
        resolve();
      }
      wakeUp = done;
    });
  }

  async function run(): Promise<void> {
    let looked = 0;
    while (!stop.signal.aborted) {
      const isDue = performance.now() - looked >= REST_LOOK_MS;
      try {
        if (store.hasChanged() || isWoken || isDue) {
          isWoken = false;
          looked = performance.now();
          // Another process may be at it: what it has done so far can be told all the same.
          await store.history.catchUp({ waitMs: 0, signal: stop.signal });
          await onNews();
          await rest(ROUND_MS);
        } else await rest(LOOK_MS);
      } catch (error) {
        if (stop.signal.aborted) break;
        onError?.(error);
        await rest(RETRY_MS);
      }
    }
  }

  const running = run();
  return {
    wake,
    async close() {
      stop.abort();
      wakeUp?.();
      await running;
    },
  };
}
