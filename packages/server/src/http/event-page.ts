// Events of a session behind a cursor, in pages that end where a line ends.

import { type Cursor, decodeCursor, type EventMessage, type EventPage, encodeCursor } from '@tailrace/protocol';
import type { Store } from '@tailrace/store';
import { eventMessageOf, wholeMessageOf } from '../feed/event-message.ts';
import { ProblemError } from '../problem-error.ts';
import { MAX_PAGE_BYTES } from './limits.ts';

/** A page, and where the next one begins. A cursor of another epoch is a `conflict`: what was told then is no longer so. */
export async function readEventPage(
  store: Store,
  sessionId: string,
  after: string | undefined,
  limit: number,
): Promise<EventPage> {
  const epoch = await store.epoch();
  let position = after === undefined ? 0 : positionIn(after, epoch);
  const items: EventMessage[] = [];
  let ending: EventPage['ending'] = [];
  let bytes = 0;
  for await (const piece of store.history.events(sessionId, position)) {
    for (const line of piece) {
      if (items.length >= limit || bytes >= MAX_PAGE_BYTES)
        return { items, next: encodeCursor({ epoch, position }), hasMore: true, ending: [] };
      // What no line told stands between two: it is no place to go on from.
      if (!Number.isInteger(line.position)) {
        ending = line.events.map((event) => eventMessageOf(sessionId, line.position, event).event);
        continue;
      }
      ending = [];
      for (const event of line.events) {
        const message = eventMessageOf(sessionId, line.position, event);
        bytes += JSON.stringify(message).length;
        items.push(message);
      }
      position = line.position;
    }
  }
  return { items, next: encodeCursor({ epoch, position }), hasMore: false, ending };
}

/** What a line told, and what no line told that stands right behind it. */
export async function readWholeEvents(
  store: Store,
  sessionId: string,
  position: number,
): Promise<readonly EventMessage[]> {
  const items: EventMessage[] = [];
  for await (const piece of store.history.events(sessionId, position - 1)) {
    for (const { position: place, events } of piece) {
      if (place >= position + 1) return items;
      if (place < position) continue;
      for (const event of events) items.push(wholeMessageOf(sessionId, place, event));
    }
  }
  return items;
}

function positionIn(text: string, epoch: string): number {
  const cursor: Cursor | undefined = decodeCursor(text);
  if (!cursor) throw new ProblemError('bad-request', 'after: this is no cursor');
  if (cursor.epoch !== epoch) throw new ProblemError('conflict', 'what was told before is no longer so: begin anew');
  return cursor.position;
}
