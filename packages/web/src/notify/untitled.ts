// What is worth a word of a session that has no title yet waits for it: a run may ask in its first moment, before its prompt is known.

import type { SessionInfo } from '@tailrace/protocol';
import { runOf, type TurningPoint } from './turning-points.ts';

/** So long a title may take; then the session is called by its id. */
const WAIT_MS = 10_000;

export interface Untitled {
  /** Says it, now or when the session has a title. */
  tell(point: TurningPoint): void;
  /** How a session is now. */
  see(session: SessionInfo): void;
  end(): void;
}

export function createUntitled(say: (point: TurningPoint) => void): Untitled {
  const held = new Map<string, { readonly point: TurningPoint; readonly timer: ReturnType<typeof setTimeout> }>();

  function forget(run: string): void {
    clearTimeout(held.get(run)?.timer);
    held.delete(run);
  }

  return {
    tell(point) {
      const run = runOf(point.session);
      // What was to be said before is no longer so.
      forget(run);
      if (point.session.title !== null) return say(point);
      const timer = setTimeout(() => {
        held.delete(run);
        say(point);
      }, WAIT_MS);
      held.set(run, { point, timer });
    },
    see(session) {
      const run = runOf(session);
      const point = held.get(run)?.point;
      if (!point) return;
      const isOver = point.kind === 'waits' && session.live?.state !== 'waiting';
      if (!isOver && session.title === null) return;
      forget(run);
      if (!isOver) say({ ...point, session });
    },
    end: () => [...held.keys()].forEach(forget),
  };
}
