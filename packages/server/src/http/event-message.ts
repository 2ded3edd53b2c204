import type { AgentStreamEvent } from '@tailrace/core';
import type { EventMessage } from '@tailrace/protocol';
import { digestOf } from '../control/open-requests.ts';
import { cutEvent } from '../feed/cut-event.ts';
import { MAX_MESSAGES_BYTES } from '../feed/frames.ts';
import { lineRef } from './line-ref.ts';

/** What stands around an event in its message is no longer than this, and the list of what was cut rarely. */
const AROUND_BYTES = 16 * 1024;

/** An event as clients get it: long strings cut, and with a digest where it asks for an answer. */
export function eventMessageOf(sessionId: string, position: number, event: AgentStreamEvent): EventMessage {
  // Of all of it, before anything is cut.
  const digest = event.type === 'permission-request' || event.type === 'question-request' ? digestOf(event) : undefined;
  return {
    type: 'event',
    sessionId,
    position,
    ...cutEvent(event, lineRef(sessionId, position), MAX_MESSAGES_BYTES - AROUND_BYTES),
    ...(digest !== undefined && { digest }),
  };
}
