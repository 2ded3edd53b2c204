// What happens, as it happens: in a list, or told to a listener.

import { useEffect, useRef } from 'react';
import type { FeedListener, SubscribeOptions } from '../feed/subscriptions.ts';
import { LISTED_EVENTS } from '../limits.ts';
import { type EventsView, emptyEvents, startEvents } from './events.ts';
import { useClient } from './provider.ts';
import { sharedStore } from './shared-stores.ts';
import { useLive } from './use-live.ts';

export interface UseEventsOptions extends SubscribeOptions {
  /** How many are kept; the oldest go first. */
  readonly limit?: number | undefined;
}

/** The last messages of a subscription. */
export function useEvents(options: UseEventsOptions): EventsView {
  const client = useClient();
  const { limit = LISTED_EVENTS, ...wanted } = options;
  return useLive(
    sharedStore(client, ['events', limit, wanted], emptyEvents, (touch) => startEvents(client, wanted, limit, touch)),
  );
}

/** Tells a listener of everything, without rendering anything. It may be another one each time. */
export function useEventListener(options: SubscribeOptions, listener: FeedListener): void {
  const client = useClient();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  const key = JSON.stringify(options);
  useEffect(() => {
    const subscription = client.subscribe(JSON.parse(key) as SubscribeOptions, (messages) => latest.current(messages));
    return () => subscription.close();
  }, [client, key]);
}
