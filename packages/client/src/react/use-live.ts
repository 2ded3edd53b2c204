import { useSyncExternalStore } from 'react';
import type { LiveStore } from './live-store.ts';

/** What a store shows. */
export function useLive<T>({ subscribe, getSnapshot }: Pick<LiveStore<T>, 'subscribe' | 'getSnapshot'>): T {
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}
