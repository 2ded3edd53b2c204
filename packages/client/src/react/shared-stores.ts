// Components that look at the same thing share it: one subscription, one fold, one picture.

import type { Client } from '../client.ts';
import { MAX_IDLE_STORES } from '../limits.ts';
import { createFrames, type Frames } from './frames.ts';
import { createLiveStore, type LiveStore, type Source } from './live-store.ts';

interface Shared {
  readonly frames: Frames;
  readonly stores: Map<string, LiveStore<unknown>>;
}

const shared = new WeakMap<Client, Shared>();

/** The store of this name; it is made when there is none. Names are those of the hook and of what it is asked. */
export function sharedStore<T, S extends Source<T>>(
  client: Client,
  name: readonly unknown[],
  initial: T,
  start: (touch: () => void) => S,
): LiveStore<T, S> {
  const own = shared.get(client) ?? { frames: createFrames(), stores: new Map() };
  shared.set(client, own);
  const key = JSON.stringify(name);
  const known = own.stores.get(key);
  // The name says what is in it.
  if (known) return known as LiveStore<T, S>;
  forgetIdle(own.stores);
  const store = createLiveStore(initial, own.frames, start);
  own.stores.set(key, store);
  return store;
}

/** A component that was rendered and never mounted leaves one behind. */
function forgetIdle(stores: Map<string, LiveStore<unknown>>): void {
  if (stores.size < MAX_IDLE_STORES) return;
  for (const [key, { source }] of stores) if (!source) stores.delete(key);
}
