// The session that is open, whatever it is called. A run is known by a name of its own until its agent tells the session's: when the list
// has lost the one that is looked at, the server is asked which session its run has by now.

import { useClient } from '@tailrace/client/react';
import { sessionOfRun } from '@tailrace/client/timeline';
import type { SessionInfo } from '@tailrace/protocol';
import { useEffect, useRef } from 'react';

export interface OpenSessionOptions {
  readonly sessions: readonly SessionInfo[];
  readonly openId: string | undefined;
  /** The run that was started last: its session may be open before it is listed. */
  readonly startedRun: string | undefined;
  /** It has another name. */
  readonly onMoved: (sessionId: string) => void;
}

/** Nothing where none is open. One that was removed is shown as it was: its screen says what became of it. */
export function useOpenSession(options: OpenSessionOptions): SessionInfo | undefined {
  const { sessions, openId, startedRun, onMoved } = options;
  const client = useClient();
  const last = useRef<SessionInfo>(undefined);
  const listed = sessions.find(({ id }) => id === openId);
  const before = last.current?.id === openId ? last.current : undefined;
  useEffect(() => {
    if (listed) last.current = listed;
  }, [listed]);

  const lostRun = openId === undefined || listed ? undefined : before ? before.live?.runId : startedRun;
  useEffect(() => {
    if (lostRun === undefined || openId === undefined) return;
    const end = new AbortController();
    sessionOfRun(client, lostRun, { signal: end.signal, besides: openId }).then((sessionId) => {
      if (sessionId !== undefined && !end.signal.aborted) onMoved(sessionId);
    });
    return () => end.abort();
  }, [client, lostRun, openId, onMoved]);
  return listed ?? before;
}
