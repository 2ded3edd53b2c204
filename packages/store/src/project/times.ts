// When something happened, and where that puts it in the conversation.

import type { AgentStreamEvent } from '@tailrace/core';
import type { Place } from './rows.ts';

/** When it happened: the agent's word, else the arrival of what was heard as it happened. */
export function whenOf(event: AgentStreamEvent, place: Place): number | null {
  if (isTime(event.time)) return event.time;
  return place.isLive ? place.at : null;
}

/** The agent's time; without one, right behind the last thing in its stream that had one, else when it was heard. */
export function orderOf(event: AgentStreamEvent, place: Place): number {
  if (isTime(event.time)) return event.time;
  if (isTime(event.after) && event.after > 0) return event.after + 0.5;
  return place.isLive ? place.at : 0;
}

/** `1e400` is none: nothing could be sorted by it. */
export function isTime(time: number | undefined): time is number {
  return Number.isFinite(time);
}
