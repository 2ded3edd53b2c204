// What was heard is what is kept.

import { decodeCursor } from '@tailrace/protocol';
import type { Store } from '@tailrace/store';
import { expect } from 'vitest';
import { createWholes } from '../../src/feed/deltas.ts';
import { eventMessageOf } from '../../src/feed/event-message.ts';
import type { Holding } from './holding.ts';

/**
 * What was heard of a session is what is kept of it, to the last character, but for pieces of what was heard whole. `isNamed`: all of it,
 * else what came since the listener came.
 */
export async function compare(store: Store, holding: Holding, id: string, isNamed: boolean): Promise<void> {
  const held = holding.sessions.get(id) ?? { events: [], closing: undefined };
  const start = decodeCursor(holding.first ?? '')?.position ?? 0;
  const firstHeld = (held.events[0]?.position ?? Number.POSITIVE_INFINITY) - 1;
  // Its first frame may have had something in it already.
  const since = isNamed ? 0 : holding.anew.has(id) ? firstHeld : Math.min(start, firstHeld);
  const wholes = createWholes();
  for (const { event } of held.events) wholes.add(event);
  let closing: readonly unknown[] | undefined;
  let at = 0;
  for await (const piece of store.history.events(id)) {
    for (const { position, events } of piece) {
      if (!Number.isInteger(position)) closing = events;
      else if (position > since) {
        for (const event of events) {
          const expected = eventMessageOf(id, position, event);
          if (JSON.stringify(held.events[at]) === JSON.stringify(expected)) at++;
          else expect([expected, wholes.isPiece(event)], `${id} at ${at}`).toEqual([expected, true]);
        }
      }
    }
  }
  expect(at).toBe(held.events.length);
  if (held.closing) expect(held.closing).toEqual(closing);
  else expect(await isEndTold(store, id, isNamed ? 0 : start)).toBe(false);
}

/** Whether it was said behind a place that nobody writes to the session. */
export async function isEndTold(store: Store, id: string, since: number): Promise<boolean> {
  for (let place = since; ; ) {
    const { told, until, end } = await store.history.tidings(place, [id]);
    if (told.some(({ kind }) => kind === 'ended')) return true;
    if (until >= end) return false;
    place = until;
  }
}
