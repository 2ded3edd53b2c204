// The events of a session in the order in which things happened. The record has them in the order in which they came: where a run was
// kept first and its session file later, what only the file tells (the prompt) comes last.

import type { AgentStreamEvent } from '@tailrace/core';

/** A session has one beginning and one end, whatever else is told. */
const ENDS: Readonly<Record<string, number>> = {
  'run-start': Number.NEGATIVE_INFINITY,
  'session-start': Number.NEGATIVE_INFINITY,
  'session-end': Number.POSITIVE_INFINITY,
};

/** Within each stream the order stays; streams are woven together by their times. */
export function inOrder(events: readonly AgentStreamEvent[]): readonly AgentStreamEvent[] {
  const streams = new Map<string | undefined, { readonly event: AgentStreamEvent; readonly time: number }[]>();
  for (const event of events) {
    const own = streams.get(event.from) ?? [];
    streams.set(event.from, own);
    const last = [...own].reverse().find(({ time }) => Number.isFinite(time))?.time ?? Number.NEGATIVE_INFINITY;
    own.push({ event, time: ENDS[event.type] ?? Math.max(last, event.time ?? (event.after || last)) });
  }
  if (streams.size < 2) return events;
  // What has no time yet belongs to what comes next in its stream.
  for (const own of streams.values()) {
    let next = Number.POSITIVE_INFINITY;
    for (let index = own.length - 1; index >= 0; index--) {
      const entry = own[index];
      if (!entry) continue;
      if (Number.isFinite(entry.time)) next = entry.time;
      else if (ENDS[entry.event.type] === undefined) own[index] = { event: entry.event, time: next };
    }
  }
  const all = [...streams.values()].flatMap((own, stream) =>
    own.map(({ event, time }, place) => ({ event, time, stream, place })),
  );
  const isPrompt = (event: AgentStreamEvent): boolean => event.type === 'user-message';
  return all
    .sort(
      (a, b) =>
        compare(a.time, b.time) ||
        (a.stream === b.stream
          ? a.place - b.place
          : Number(isPrompt(b.event)) - Number(isPrompt(a.event)) || a.stream - b.stream),
    )
    .map(({ event }) => event);
}

/** Also of two that are without end, whose difference is no number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
