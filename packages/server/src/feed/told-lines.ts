// What is told in one place travels together: a cursor stands before all of it, or behind.

import type { Tidings, Told } from '@tailrace/store';
import type { LineMessages } from './frames.ts';

/** With the last place of the part at the end: what nobody wanted counts as heard. Nothing when there is nothing to say. */
export function toldLines(part: Tidings, say: (told: Told) => readonly string[]): readonly LineMessages[] {
  const places = new Map<number, string[]>();
  for (const told of part.told) {
    const messages = say(told);
    if (messages.length === 0) continue;
    const before = places.get(told.place);
    if (before) before.push(...messages);
    else places.set(told.place, [...messages]);
  }
  if (places.size === 0) return [];
  const lines = [...places].map(([position, messages]) => ({ position, messages }));
  return [...lines, { position: part.until, messages: [] }];
}

/** Whoever follows everything is told which session is no longer as it was, and asks for it again if they want it. */
export function resetText(epoch: string, sessionId?: string): string {
  return JSON.stringify({ type: 'reset', epoch, ...(sessionId !== undefined && { sessionId }) });
}
