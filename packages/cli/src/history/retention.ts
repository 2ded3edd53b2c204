// What the person does not want to keep for ever is forgotten whenever something new is taken in.

import type { Store } from '@tailrace/store';
import { readSettings } from './config.ts';

const DAY_MS = 86_400_000;

/** Forgets what is older than the setting says. Gives the sessions. */
export async function retire(store: Store, now: number = Date.now()): Promise<readonly string[]> {
  const { retentionDays } = readSettings();
  return retentionDays === undefined ? [] : store.forgetBefore(now - retentionDays * DAY_MS);
}
