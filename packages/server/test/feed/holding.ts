// What a client holds of one subscription: each event once, however often it is cut off. After that it says its last cursor, and as many
// events of the line that follows as it had already are left out.

import type { AgentStreamEvent } from '@tailrace/core';
import type { EventMessage, Frame, ServerMessage } from '@tailrace/protocol';

interface Held {
  readonly events: EventMessage[];
  closing: readonly AgentStreamEvent[] | undefined;
}

export interface Holding {
  readonly sessions: Map<string, Held>;
  /** Everything that is no event, no end of a session and no `live`. */
  readonly others: ServerMessage[];
  /** Sessions that were said to be no longer as they were: what came before is not held any more. */
  readonly anew: Set<string>;
  /** The cursor that it had first. */
  readonly first: string | undefined;
  readonly frames: number;
  /** Whether everything that was there was sent since it last came. */
  readonly isLive: boolean;
  readonly cursor: string | undefined;
  hear(frame: Frame): void;
  /** It comes, or comes again: what is heard next follows its cursor. */
  join(): void;
}

export function createHolding(): Holding {
  const sessions = new Map<string, Held>();
  const others: ServerMessage[] = [];
  const anew = new Set<string>();
  let first: string | undefined;
  let cursor: string | undefined;
  let frames = 0;
  let isLive = false;
  /** The line of the last event, how many events of it are held, and how many of those come again. */
  let line = Number.NaN;
  let handed = 0;
  let again = 0;

  function heldOf(id: string): Held {
    const held = sessions.get(id) ?? { events: [], closing: undefined };
    sessions.set(id, held);
    return held;
  }

  function takeEvent(message: EventMessage): void {
    if (again > 0 && message.position === line) {
      again--;
      return;
    }
    again = 0;
    if (message.position !== line) handed = 0;
    line = message.position;
    handed++;
    const held = heldOf(message.sessionId);
    held.events.push(message);
    held.closing = undefined;
  }

  function reset(sessionId: string | undefined): void {
    if (sessionId !== undefined) {
      sessions.delete(sessionId);
      anew.add(sessionId);
      return;
    }
    sessions.clear();
    line = Number.NaN;
    handed = 0;
    again = 0;
  }

  function take(message: ServerMessage): void {
    if (message.type === 'event') takeEvent(message);
    else if (message.type === 'ended') heldOf(message.sessionId).closing = message.events;
    else if (message.type === 'live') isLive = true;
    else others.push(message);
    if (message.type === 'reset') reset(message.sessionId);
    if (message.type === 'gone') sessions.delete(message.sessionId);
  }

  return {
    sessions,
    others,
    anew,
    get first() {
      return first;
    },
    get frames() {
      return frames;
    },
    get isLive() {
      return isLive;
    },
    get cursor() {
      return cursor;
    },
    hear(frame) {
      frames++;
      for (const message of frame.messages) take(message);
      if (frame.cursor === undefined) return;
      cursor = frame.cursor;
      first ??= cursor;
    },
    join() {
      isLive = false;
      again = handed;
    },
  };
}
