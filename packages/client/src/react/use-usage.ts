// The bill, live.

import type { UsageQuery } from '@tailrace/protocol';
import { useClient } from './provider.ts';
import { sharedStore } from './shared-stores.ts';
import { noUsage, startUsage, type UsageSource, type UsageView } from './usage.ts';
import { useLive } from './use-live.ts';

/** What was used and what it cost, kept up to date while sessions go on. */
export function useUsage(query: UsageQuery = {}): UsageView & { refresh(): void } {
  const client = useClient();
  const store = sharedStore<UsageView, UsageSource>(client, ['usage', query], noUsage, (touch) =>
    startUsage(client, query, touch),
  );
  return { ...useLive(store), refresh: () => store.source?.refresh() };
}
