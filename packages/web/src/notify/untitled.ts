// What is worth a word of a session that has no title yet waits for it: a run may ask in its first moment, before its prompt is known.

import type { SessionInfo } from '@tailrace/protocol';
import type { TurningPoint } from './turning-points.ts';

/** So long a title may take; then the session is called by its id. */
const WAIT_MS = 10_000;

export interface Untitled {
  /** Says it, now or when the session has a title. */
  tell(point: TurningPoint): void;
  /** How a session is now. */
  see(session: SessionInfo): void;
  /** It is there no more: it has another name, or was removed. */
  forget(sessionId: string): void;
  end(): void;
}

export function createUntitled(say: (point: TurningPoint) => void): Untitled {
  const held = new Map<string, { readonly point: TurningPoint; readonly timer: ReturnType<typeof setTimeout> }>();

  function forget(sessionId: string): void {
    clearTimeout(held.get(sessionId)?.timer);
    held.delete(sessionId);
  }

  return {
    tell(point) {
      const { id, title } = point.session;
      // What was to be said before is no longer so.
      forget(id);
      if (title !== null) return say(point);
      const timer = setTimeout(() => {
        held.delete(id);
        say(point);
      }, WAIT_MS);
      held.set(id, { point, timer });
    },
    see(session) {
      const point = held.get(session.id)?.point;
      if (!point) return;
      const isOver = point.kind === 'waits' && session.live?.state !== 'waiting';
      if (!isOver && session.title === null) return;
      forget(session.id);
      if (!isOver) say({ ...point, session });
    },
    forget,
    end: () => [...held.keys()].forEach(forget),
  };
}
