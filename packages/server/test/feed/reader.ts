// A client as simple as one can be: it keeps what it is sent, and when it is cut off it comes again with its last cursor.

import type { AgentStreamEvent } from '@tailrace/core';
import type { EventMessage, Frame, ServerMessage, Subscribe } from '@tailrace/protocol';
import type { Hub } from '../../src/feed/hub.ts';
import type { Outlet } from '../../src/feed/outlet.ts';

export interface Held {
  readonly events: EventMessage[];
  closing: readonly AgentStreamEvent[] | undefined;
}

export interface Reader {
  readonly sessions: Map<string, Held>;
  readonly others: ServerMessage[];
  /** Sessions that were said to be no longer as they were: what came before is not held any more. */
  readonly anew: Set<string>;
  /** The cursor that it had first. */
  readonly first: string | undefined;
  readonly frames: number;
  /** Whether everything that was there was sent since it last came. */
  readonly isLive: boolean;
  cursor: string | undefined;
  /** Comes, or comes again. */
  join(): Promise<void>;
  /** Is cut off: nothing more is heard. */
  cut(): void;
}

/** `deafAfter`: after so many frames it is cut off by itself. */
export function createReader(
  hub: Hub,
  wanted: Omit<Subscribe, 'type' | 'subscriptionId'>,
): Reader & { deafAfter: number } {
  const sessions = new Map<string, Held>();
  const others: ServerMessage[] = [];
  let outlet: Outlet | undefined;
  /** Messages behind the cursor, which come again. */
  let handed = 0;
  let dropped = 0;
  const reader = {
    sessions,
    others,
    anew: new Set<string>(),
    first: undefined as string | undefined,
    frames: 0,
    isLive: false,
    cursor: undefined as string | undefined,
    deafAfter: Number.POSITIVE_INFINITY,
    async join() {
      reader.cut();
      const own = createOutlet((text) => {
        if (own !== outlet) return;
        hear(JSON.parse(text) as Frame);
        if (--reader.deafAfter <= 0) reader.cut();
      });
      outlet = own;
      dropped = handed;
      reader.isLive = false;
      await hub.subscribe(
        { type: 'subscribe', subscriptionId: 's', ...wanted, cursor: reader.cursor ?? wanted.cursor },
        own,
      );
    },
    cut() {
      if (outlet) hub.leave(outlet);
      outlet = undefined;
      reader.deafAfter = Number.POSITIVE_INFINITY;
    },
  };

  function heldOf(id: string): Held {
    const held = sessions.get(id) ?? { events: [], closing: undefined };
    sessions.set(id, held);
    return held;
  }

  function hear({ cursor, messages }: Frame): void {
    reader.frames++;
    for (const message of messages) take(message);
    if (cursor === undefined || cursor === reader.cursor) return;
    reader.cursor = cursor;
    reader.first ??= cursor;
    handed = 0;
    dropped = 0;
  }

  function take(message: ServerMessage): void {
    if (message.type === 'event') {
      if (dropped > 0) {
        dropped--;
        return;
      }
      handed++;
      const held = heldOf(message.sessionId);
      held.events.push(message);
      held.closing = undefined;
    } else if (message.type === 'ended') heldOf(message.sessionId).closing = message.events;
    else if (message.type === 'live') reader.isLive = true;
    else if (message.type === 'reset') {
      handed = 0;
      dropped = 0;
      if (message.sessionId === undefined) sessions.clear();
      else {
        sessions.delete(message.sessionId);
        reader.anew.add(message.sessionId);
      }
      others.push(message);
    } else others.push(message);
    if (message.type === 'gone') sessions.delete(message.sessionId);
  }

  return reader;
}

function createOutlet(hear: (text: string) => void): Outlet {
  return {
    queuedBytes: 0,
    isGone: false,
    send: (frame) => hear(Buffer.from(frame as Uint8Array).toString()),
    drained: () => new Promise((resolve) => setImmediate(resolve)),
    letGo() {},
  };
}
