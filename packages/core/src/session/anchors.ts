import type { AgentStreamEvent, EventType } from '../event/event.ts';

/** Events that the sources of a session time alike, and in order. Prompts are timed as well, but not always in order. */
const ANCHORS: ReadonlySet<EventType> = new Set<EventType>([
  'message-start',
  'text-start',
  'text-end',
  'reasoning-start',
  'reasoning-end',
  'tool-call-start',
  'tool-call-input-end',
  'tool-call-end',
  'error',
]);

export function isAnchor({ type }: AgentStreamEvent): boolean {
  return ANCHORS.has(type);
}
