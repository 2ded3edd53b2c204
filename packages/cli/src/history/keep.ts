// Keeps a run in the person's store: opened for it, brought up to date and closed with it.

import { keepRun, type RunKeeper } from '@tailrace/store';
import { messageOf } from '../failure.ts';
import { openKept } from './open.ts';
import { retire } from './retention.ts';

export type Keeper = RunKeeper;

export interface KeepOptions {
  readonly runId: string;
  readonly agent: string | undefined;
  warn(message: string): void;
}

/** For so long the end of a run takes up what is new; what is left is for whoever asks next. */
const CATCH_UP_MS = 3_000;

/** A keeper for one run. Where the store cannot be opened it says so, and there is none. */
export async function openKeeper(options: KeepOptions): Promise<Keeper | undefined> {
  const { warn } = options;
  try {
    const store = await openKept();
    const keeper = keepRun(store, options);
    return {
      ...keeper,
      async close(summary) {
        const isKept = await keeper.close(summary);
        try {
          await store.history.catchUp({ waitMs: 0, signal: AbortSignal.timeout(CATCH_UP_MS) });
          await retire(store);
        } catch (error) {
          if (isKept) warn(`the end of this run could not be kept: ${messageOf(error)}`);
        } finally {
          await store.close().catch(() => undefined);
        }
        return isKept;
      },
    };
  } catch (error) {
    warn(`this run is not kept: ${messageOf(error)}`);
    return undefined;
  }
}
