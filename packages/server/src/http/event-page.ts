// Events of a session behind a cursor, in pages that end where a line ends.

import { type Cursor, decodeCursor, type EventMessage, type EventPage, encodeCursor } from '@tailrace/protocol';
import type { SessionEvents, Store } from '@tailrace/store';
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
        ending = endingOf(sessionId, line);
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

/** The last events of a session: those of as few lines as have so many, or are as long as a page is. */
export async function readLastPage(store: Store, sessionId: string, limit: number): Promise<EventPage> {
  const epoch = await store.epoch();
  const lines = await store.history.lastEvents(sessionId, limit);
  const told = lines.filter(({ position }) => Number.isInteger(position));
  const pieces: EventMessage[][] = [];
  let bytes = 0;
  for (const { position, events } of [...told].reverse()) {
    if (bytes >= MAX_PAGE_BYTES) break;
    const messages = events.map((event) => eventMessageOf(sessionId, position, event));
    for (const message of messages) bytes += JSON.stringify(message).length;
    pieces.unshift(messages);
  }
  const [end, lastTold] = [lines.at(-1), told.at(-1)];
  return {
    items: pieces.flat(),
    next: encodeCursor({ epoch, position: lastTold?.position ?? 0 }),
    hasMore: false,
    ending: end === undefined || end === lastTold ? [] : endingOf(sessionId, end),
  };
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

function endingOf(sessionId: string, { position, events }: SessionEvents): EventPage['ending'] {
  return events.map((event) => eventMessageOf(sessionId, position, event).event);
}

function positionIn(text: string, epoch: string): number {
  const cursor: Cursor | undefined = decodeCursor(text);
  if (!cursor) throw new ProblemError('bad-request', 'after: this is no cursor');
  if (cursor.epoch !== epoch) throw new ProblemError('conflict', 'what was told before is no longer so: begin anew');
  return cursor.position;
}
