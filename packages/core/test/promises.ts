// The promises that every stream of events keeps, whatever the agent does. Each broken one is a sentence.

import type { AgentStreamEvent } from '../src/index.ts';
import { framed, joined, numbered, ofTheTen, ordered, paired, unique } from '../src/testing/promises.ts';

export function brokenPromises(events: readonly AgentStreamEvent[]): string[] {
  const rules = [numbered, framed, paired, unique, joined, ordered, ofTheTen, told];
  return rules.flatMap((rule) => rule(events));
}

/** An absent field is absent, not undefined. */
function told(events: readonly AgentStreamEvent[]): string[] {
  return events.flatMap((event) =>
    Object.entries(event).flatMap(([key, value]) => (value === undefined ? [`${event.type}.${key} is undefined`] : [])),
  );
}
