// From when to when a session went, by what the agent says and by when it was heard.

import type { AgentStreamEvent } from '@tailrace/core';
import type { Place } from './rows.ts';
import { isTime } from './times.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Span {
  add(event: AgentStreamEvent, place: Place): void;
  range(): Range | undefined;
}

/** What is heard so long after all that the agent says of itself is a recording, and when it is heard tells nothing. */
const RECORDED_MS = 10 * 60_000;

export function createSpan(): Span {
  let told: Range | undefined;
  let heard: Range | undefined;
  return {
    add(event, place) {
      if (isTime(event.time)) told = widened(told, event.time);
      else if (place.isLive) heard = widened(heard, place.at);
    },
    range() {
      if (!told || !heard) return told ?? heard;
      if (heard.start - told.end > RECORDED_MS) return told;
      return { start: Math.min(told.start, heard.start), end: Math.max(told.end, heard.end) };
    },
  };
}

function widened(range: Range | undefined, time: number): Range {
  return { start: Math.min(range?.start ?? time, time), end: Math.max(range?.end ?? time, time) };
}
