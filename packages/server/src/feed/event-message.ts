import type { AgentStreamEvent } from '@tailrace/core';
import { type EventMessage, MAX_WHOLE_EVENT_BYTES } from '@tailrace/protocol';
import { digestOf } from '../control/open-requests.ts';
import { cutShort } from './cut-short.ts';
import { MAX_MESSAGES_BYTES } from './frames.ts';
import { lineRef } from './line-ref.ts';

/** What stands around an event in its message is no longer than this. */
const AROUND_BYTES = 1024;
/** A unit of UTF-16 is at most three bytes of UTF-8. */
const MAX_WHOLE_LENGTH: number = Math.floor(MAX_WHOLE_EVENT_BYTES / 3);

/** An event as clients get it: one that is long has its long strings cut, one that asks for an answer has a digest. */
export function eventMessageOf(sessionId: string, position: number, event: AgentStreamEvent): EventMessage {
  return { type: 'event', sessionId, position, ...fittingOf(sessionId, position, event), ...digestIn(event) };
}

/** The same with nothing cut. */
export function wholeMessageOf(sessionId: string, position: number, event: AgentStreamEvent): EventMessage {
  return { type: 'event', sessionId, position, event, ...digestIn(event) };
}

/** The same as JSON; most events are short, and are made into text once. */
export function eventTextOf(sessionId: string, position: number, event: AgentStreamEvent): string {
  const text = JSON.stringify(event);
  if (text.length > MAX_WHOLE_LENGTH) return JSON.stringify(eventMessageOf(sessionId, position, event));
  const { digest } = digestIn(event);
  const rest = digest === undefined ? '' : `,"digest":${JSON.stringify(digest)}`;
  return `{"type":"event","sessionId":${JSON.stringify(sessionId)},"position":${position},"event":${text}${rest}}`;
}

function fittingOf(sessionId: string, position: number, event: AgentStreamEvent): Pick<EventMessage, 'event' | 'cut'> {
  if (JSON.stringify(event).length <= MAX_WHOLE_LENGTH) return { event };
  const { short, ...rest } = cutShort(event, lineRef(sessionId, position), MAX_MESSAGES_BYTES - AROUND_BYTES);
  return { event: short, ...rest };
}

/** Of all of it, before anything is cut. */
function digestIn(event: AgentStreamEvent): Pick<EventMessage, 'digest'> {
  const isRequest = event.type === 'permission-request' || event.type === 'question-request';
  return isRequest ? { digest: digestOf(event) } : {};
}
