// Which events somebody wants to see of all that came.

import type { EventMessage } from '@tailrace/protocol';
import { partIdOf } from './folded.ts';

export interface RawFilter {
  /** Empty: all. */
  readonly type: string;
  readonly text: string;
  /** Those of one part: by its id, and the line that it came with. */
  readonly part: { readonly id: string; readonly position: number | undefined } | null;
}

export const noFilter: RawFilter = { type: '', text: '', part: null };

/** The numbers of the events that pass, the first first. */
export function filterEvents(events: readonly EventMessage[], count: number, filter: RawFilter): readonly number[] {
  const found: number[] = [];
  const text = filter.text.trim().toLowerCase();
  for (let index = 0; index < count; index++) {
    const message = events[index];
    if (!message) continue;
    const { event, position } = message;
    if (filter.type !== '' && event.type !== filter.type) continue;
    if (filter.part && position !== filter.part.position && partIdOf(event) !== filter.part.id) continue;
    if (text !== '' && !lowerOf(message).includes(text)) continue;
    found.push(index);
  }
  return found;
}

/** The types that there are, by name. */
export function typesOf(events: readonly EventMessage[], count: number): readonly string[] {
  const types = new Set<string>();
  for (let index = 0; index < count; index++) types.add(events[index]?.event.type ?? '');
  return [...types].filter((type) => type !== '').sort();
}

/** What nearly every event has: a row has no room for it. */
const COMMON: ReadonlySet<string> = new Set(['type', 'seq', 'line', 'at', 'time', 'after', 'from', 'sessionId']);

/** What is special about an event, on one line, as much of it as a row shows. */
export function lineOf({ event }: EventMessage, longest = 300): string {
  const line = JSON.stringify(Object.fromEntries(Object.entries(event).filter(([name]) => !COMMON.has(name))));
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

const lower = new WeakMap<EventMessage, string>();

function lowerOf(message: EventMessage): string {
  let text = lower.get(message);
  if (text === undefined) {
    text = JSON.stringify(message.event).toLowerCase();
    lower.set(message, text);
  }
  return text;
}
