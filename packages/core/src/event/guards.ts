import type { AgentStreamEvent, EventOf, EventType } from './event.ts';

/** Whether the event is of one of the types, narrowing it: `events.filter(isEvent('text-end'))`. */
export function isEvent<T extends EventType>(...types: readonly T[]): (event: AgentStreamEvent) => event is EventOf<T> {
  const wanted: ReadonlySet<string> = new Set(types);
  return (event): event is EventOf<T> => wanted.has(event.type);
}
