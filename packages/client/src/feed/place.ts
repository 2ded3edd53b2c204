// How far a subscription has come: each message is handed on once, however often the connection breaks.
//
// A cursor stands at the end of a line. The messages of a line that is too long for one frame come in several, and the cursor stays
// before it until the last. They are handed on as they come; after a break the server sends that line again, whole and exactly as
// before, so as many of its messages as were handed on are left out. Events say which line they are of. Other messages do not: of
// those all count that were handed on since the cursor moved.

import type { Frame } from '@tailrace/protocol';
import { type FeedMessage, isFeedMessage, isLineMessage, type LineMessage } from './message.ts';

export interface Place {
  /** Where to go on from; nothing when no frame had one yet. */
  readonly cursor: string | undefined;
  /** What of a frame is new. */
  take(frame: Frame): readonly FeedMessage[];
  /** The connection was lost: what comes next begins behind the cursor. */
  resume(): void;
}

export function createPlace(from: string | undefined): Place {
  let cursor = from;
  /** Messages handed on of the last line. */
  let handedOn = 0;
  /** Of those, what is about to come again. */
  let again = 0;
  /** That line, where its messages tell. */
  let line: number | undefined;

  function isNew(message: LineMessage): boolean {
    const position = message.type === 'event' ? message.position : undefined;
    if (again > 0 && position === line) {
      again--;
      return false;
    }
    again = 0;
    if (position !== undefined && position !== line) handedOn = 0;
    line = position;
    handedOn++;
    return true;
  }

  function move(to: string | undefined): void {
    if (to === undefined || to === cursor) return;
    cursor = to;
    if (line !== undefined) return;
    handedOn = 0;
    again = 0;
  }

  return {
    get cursor() {
      return cursor;
    },
    take(frame) {
      const fresh: FeedMessage[] = [];
      for (const message of frame.messages) {
        if (!isFeedMessage(message)) continue;
        if (isLineMessage(message) ? isNew(message) : true) fresh.push(message);
        if (message.type === 'reset' && message.sessionId === undefined) {
          cursor = undefined;
          line = undefined;
          handedOn = 0;
          again = 0;
        }
      }
      move(frame.cursor);
      return fresh;
    },
    resume() {
      again = handedOn;
    },
  };
}
