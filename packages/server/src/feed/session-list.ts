// Sessions as they stand in a list, for those who look at the list: each that has changed, at most a few times a second.

import { encodeCursor, MAX_QUEUED_BYTES, type SessionInfo } from '@tailrace/protocol';
import { SESSION_LOOK_MS } from './limits.ts';
import type { Listener } from './listener.ts';
import { isSessionWanted } from './selection.ts';

/** These sessions as they are now; those that are gone are missing. */
export type SessionLook = (sessionIds: readonly string[]) => Promise<readonly SessionInfo[]>;

export interface SessionList {
  readonly size: number;
  add(listener: Listener, epoch: string): void;
  remove(listener: Listener): void;
  /** These sessions have changed. */
  hear(sessions: ReadonlySet<string>): void;
  /** What was told before is no longer so: the list has to be read again. */
  reset(epoch: string): void;
  close(): void;
}

export function createSessionList(look: SessionLook, onError?: (error: unknown) => void): SessionList {
  const listeners = new Set<Listener>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;

  async function tell(): Promise<void> {
    toldAt = performance.now();
    const ids = [...changed];
    changed.clear();
    const sessions = await look(ids);
    const there = new Set(sessions.map(({ id }) => id));
    const gone = ids.filter((id) => !there.has(id));
    for (const listener of listeners) {
      const messages = [
        ...sessions.filter((session) => isWanted(listener, session)).map((session) => ({ type: 'session', session })),
        ...gone.filter((id) => isNamed(listener, id)).map((sessionId) => ({ type: 'gone', sessionId })),
      ];
      // Each alone: some dozens could be longer than a frame may be.
      for (const message of messages) send(listener, [message]);
    }
  }

  function send({ outlet, subscriptionId }: Listener, messages: readonly unknown[], cursor?: string): void {
    if (outlet.queuedBytes > MAX_QUEUED_BYTES) outlet.letGo();
    else outlet.send(JSON.stringify({ subscriptionId, ...(cursor !== undefined && { cursor }), messages }));
  }

  return {
    get size() {
      return listeners.size;
    },
    add(listener, epoch) {
      listeners.add(listener);
      // There is nothing to go back to: the list itself is read over HTTP.
      send(listener, [{ type: 'live' }], encodeCursor({ epoch, position: 0 }));
    },
    remove: (listener) => void listeners.delete(listener),
    hear(sessions) {
      if (listeners.size === 0) return;
      for (const session of sessions) changed.add(session);
      if (changed.size === 0) return;
      // At once after a rest: a session that starts is not to be waited for.
      const rest = toldAt + SESSION_LOOK_MS - performance.now();
      timer ??= setTimeout(
        () => {
          timer = undefined;
          tell().catch((error: unknown) => onError?.(error));
        },
        Math.max(0, rest),
      );
    },
    reset(epoch) {
      for (const listener of listeners)
        send(listener, [{ type: 'reset', epoch }], encodeCursor({ epoch, position: 0 }));
    },
    close: () => clearTimeout(timer),
  };
}

function isNamed({ wanted: { sessions } }: Listener, id: string): boolean {
  return !sessions || sessions.has(id);
}

function isWanted(listener: Listener, { id, agent, projectId }: SessionInfo): boolean {
  return isNamed(listener, id) && isSessionWanted(listener.wanted.filter, { agent, project: projectId ?? undefined });
}
