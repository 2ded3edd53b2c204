// The folders that sessions have worked in, from the store, the last one first. Asked often: only what is new is read again.

import type { Store } from '@tailrace/store';
import { MAX_PROJECT_SESSIONS } from './limits.ts';

export interface UsedFolders {
  /** As the sessions tell them: they may be gone, or be links. */
  list(): Promise<readonly string[]>;
}

const PAGE = 500;
const DAY_MS = 86_400_000;
/** Sessions of long ago may be taken in at any time: so often all of them are looked at. */
const WHOLE_MS: number = 10 * 60_000;
/** What is made of new lines follows them: so long after the last one it is looked again. */
const SETTLE_MS = 5_000;

export function createUsedFolders(store: Store, clock: () => number): UsedFolders {
  /** By when each was used. */
  const folders = new Map<string, number>();
  let position = -1;
  let changedAt = 0;
  let wholeAt = Number.NEGATIVE_INFINITY;

  async function look(since?: number): Promise<void> {
    for (let offset = 0; offset < MAX_PROJECT_SESSIONS; offset += PAGE) {
      const rows = await store.history.sessions({ since, limit: PAGE, offset });
      for (const { cwd, startedAt, endedAt } of rows)
        if (cwd !== null) folders.set(cwd, Math.max(folders.get(cwd) ?? 0, endedAt ?? startedAt ?? 0));
      if (rows.length < PAGE) return;
    }
  }

  return {
    async list() {
      const last = await store.record.last();
      const now = clock();
      if (last !== position) changedAt = now;
      position = last;
      const isWhole = now - wholeAt >= WHOLE_MS;
      if (isWhole) {
        // Something forgotten has no folder any more.
        folders.clear();
        await look();
        wholeAt = now;
      } else if (now - changedAt <= SETTLE_MS) await look(now - DAY_MS);
      return [...folders].sort(([, a], [, b]) => b - a).map(([folder]) => folder);
    },
  };
}
