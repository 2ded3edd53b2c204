// What closes a session, as one message: it has to fit in one frame.

import type { AgentStreamEvent } from '@tailrace/core';
import type { Ended } from '@tailrace/protocol';
import { cutShort } from './cut-short.ts';
import { MAX_MESSAGES_BYTES } from './frames.ts';
import { lineRef } from './line-ref.ts';

/** What stands around the events is no longer than this. */
const AROUND_BYTES = 1024;
/** Of an event that is cut to less nobody could tell what it closes. */
const MIN_SHARE_BYTES = 1024;

/** The message as JSON. Where there is too much, each event is cut to its share; where there are too many, the first are left out. */
export function endedTextOf(sessionId: string, position: number, events: readonly AgentStreamEvent[]): string {
  const room = MAX_MESSAGES_BYTES - AROUND_BYTES;
  const all = events.reduce((sum, event) => sum + sizeOf(event), 0);
  const share = all <= room ? room : Math.max(MIN_SHARE_BYTES, Math.floor(room / events.length));
  const sent: AgentStreamEvent[] = [];
  let bytes = 0;
  // From the end: the last ones close the turn and the session.
  for (const event of [...events].reverse()) {
    const { short } = cutShort(event, lineRef(sessionId, position), share);
    bytes += sizeOf(short);
    if (bytes > room) break;
    sent.unshift(short);
  }
  const left = events.length - sent.length;
  const message: Ended = { type: 'ended', sessionId, events: sent, ...(left > 0 && { left }) };
  return JSON.stringify(message);
}

function sizeOf(event: AgentStreamEvent): number {
  return Buffer.byteLength(JSON.stringify(event)) + 1;
}
