// The list of sessions, live.

import type { SessionQuery } from '@tailrace/protocol';
import { useClient } from './provider.ts';
import { noSessions, type SessionsSource, type SessionsView, startSessions } from './sessions.ts';
import { sharedStore } from './shared-stores.ts';
import { useLive } from './use-live.ts';

/** Sessions as they are and as they change; `loadMore` adds the next part of the list. */
export function useSessions(filter: Omit<SessionQuery, 'cursor'> = {}): SessionsView & { loadMore(): void } {
  const client = useClient();
  const store = sharedStore<SessionsView, SessionsSource>(client, ['sessions', filter], noSessions, (touch) =>
    startSessions(client, filter, touch),
  );
  return { ...useLive(store), loadMore: () => store.source?.loadMore() };
}
