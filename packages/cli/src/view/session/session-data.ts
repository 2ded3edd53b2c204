// What is known of the session that is looked at: its feed, and what it all came to.

import type { Client } from '@tailrace/client';
import { createSessionFeed, type SessionFeedView } from '@tailrace/client/timeline';
import type { SessionDetail, SessionInfo } from '@tailrace/protocol';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';

/** A session as it is followed: its end first, and all of it as soon as it is there. */
export function useFeed(client: Client, sessionId: string): SessionFeedView {
  const feed = useMemo(() => createSessionFeed(client, sessionId), [client, sessionId]);
  return useSyncExternalStore(feed.subscribe, feed.getSnapshot, feed.getSnapshot);
}

/** What it came to is asked for again at most this often while it goes on. */
const REFRESH_MS = 2_000;

/** A session with its summary; asked for again when the list tells that something has changed. */
export function useDetail(client: Client, session: SessionInfo): SessionDetail | undefined {
  const [detail, setDetail] = useState<SessionDetail>();
  const { id, lines, status } = session;
  const state = session.live?.state;
  const isFirst = detail?.id !== id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again when one of these has changed
  useEffect(() => {
    const end = new AbortController();
    const timer = setTimeout(
      () => {
        client.http.session(id, { signal: end.signal }).then(setDetail, () => undefined);
      },
      isFirst ? 0 : REFRESH_MS,
    );
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, id, lines, status, state]);
  return isFirst ? undefined : detail;
}
