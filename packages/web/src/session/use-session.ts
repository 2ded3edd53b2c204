// What is known of a session beside its conversation: title, cost, the run that goes on, what it all came to.

import { useClient } from '@tailrace/client/react';
import type { SessionDetail } from '@tailrace/protocol';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** What it came to is asked for again at most this often while it goes on. */
const REFRESH_MS = 2000;

/** A session as it stands; kept up to date by what the server tells about its list. */
export function useSession(sessionId: string): UseQueryResult<SessionDetail> {
  const client = useClient();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      timer = undefined;
      void queries.invalidateQueries({ queryKey: sessionKey(sessionId) });
    };
    const subscription = client.subscribe({ view: 'sessions', sessions: [sessionId] }, (messages) => {
      for (const message of messages) {
        // Whatever changed before was told to nobody here.
        if (message.type === 'live') ask();
        if (message.type !== 'session' || message.session.id !== sessionId) continue;
        const { session } = message;
        queries.setQueryData<SessionDetail>(sessionKey(sessionId), (known) => known && { ...known, ...session });
        timer ??= setTimeout(ask, REFRESH_MS);
      }
    });
    return () => {
      clearTimeout(timer);
      subscription.close();
    };
  }, [client, queries, sessionId]);
  return useQuery({
    queryKey: sessionKey(sessionId),
    queryFn: ({ signal }) => client.http.session(sessionId, { signal }),
  });
}

/** Everything that is asked about a session has this before it: it is asked anew when the session has changed. */
export function sessionKey(sessionId: string): readonly string[] {
  return ['session', sessionId];
}
