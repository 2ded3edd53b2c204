// What was used and what it cost; asked for again while sessions go on.

import type { UsageAnswer, UsageQuery } from '@tailrace/protocol';
import type { Client } from '../client.ts';
import { type ClientError, isClientError } from '../errors.ts';
import { USAGE_REFRESH_MS } from '../limits.ts';
import type { Source } from './live-store.ts';
import { createSingleFlight } from './single-flight.ts';

export interface UsageView {
  readonly usage: UsageAnswer | null;
  readonly isLoading: boolean;
  readonly error: ClientError | null;
}

export const noUsage: UsageView = { usage: null, isLoading: true, error: null };

export interface UsageSource extends Source<UsageView> {
  refresh(): void;
}

export function startUsage(client: Client, query: UsageQuery, touch: () => void): UsageSource {
  let view = noUsage;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const asking = createSingleFlight(async (signal) => {
    try {
      view = { usage: await client.http.usage(query, { signal }), isLoading: false, error: null };
    } catch (error) {
      if (!isClientError(error) || error.code === 'aborted') return;
      view = { ...view, isLoading: false, error };
    }
    touch();
  });
  const subscription = client.subscribe({ view: 'sessions' }, () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      asking.request();
    }, USAGE_REFRESH_MS);
  });
  asking.request();

  return {
    read: () => view,
    refresh: asking.request,
    stop() {
      clearTimeout(timer);
      subscription.close();
      asking.stop();
    },
  };
}
