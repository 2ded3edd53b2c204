// What a session is run with: agents tell it again and again, and only what is new is worth an event.

import type { Json } from '../event/json.ts';

/** The facts that are known now and were not before, or were otherwise; nothing when there is none. */
export function newFacts<T extends object>(known: T, told: T): Partial<T> | undefined {
  const before = new Map<string, Json>(Object.entries(known));
  const fresh = Object.entries(told).filter(([name, value]) => value !== undefined && !isSame(before.get(name), value));
  // From entries of `told`: the names and values are its own.
  return fresh.length > 0 ? (Object.fromEntries(fresh) as Partial<T>) : undefined;
}

function isSame(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
