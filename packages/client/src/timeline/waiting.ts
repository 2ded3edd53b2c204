// What of this session waits for the person, and where it can be answered.

import type { Conversation } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import type { WaitingRequest } from '../react/permissions.ts';

export interface Waiter {
  readonly requestId: string;
  readonly partId: string;
  /** Nothing: it cannot be answered here, or not yet. */
  readonly request: WaitingRequest | undefined;
  /** It waits in the terminal of its own run. */
  readonly isElsewhere: boolean;
}

/** What waits by the part that shows it, the oldest first. */
export function waitersOf(
  { waiting }: Conversation,
  requests: readonly WaitingRequest[],
  { id, live }: Pick<SessionInfo, 'id' | 'live'>,
): ReadonlyMap<string, Waiter> {
  const byId = new Map<string, WaitingRequest>();
  for (const one of requests) if (one.sessionId === id) byId.set(one.request.requestId, one);
  const isElsewhere = live !== null && live.state !== 'ended' && !live.isOurs;
  return new Map(
    waiting.map(({ requestId, partId }) => [
      partId,
      { requestId, partId, request: byId.get(requestId), isElsewhere: isElsewhere && !byId.has(requestId) },
    ]),
  );
}
