// Keys for which the AI SDK's reader gives up the whole stream (`__proto__`, and `constructor` with a `prototype`): whoever chooses the
// keys of a tool's input could end a chat. They get another name, which shows what they were.

import { MAX_DEPTH } from '../../lines/limits.ts';

/** The value without such keys; the very same when it has none. What is nested too deep is left out. */
export function harmless<T>(value: T): T {
  // A value of the same shape but for names that nobody reads.
  return walk(value, 0) as T;
}

function walk(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  let isChanged = false;
  const fields = Object.entries(value).map(([key, field]) => {
    const name = isTrap(key, field) ? `(${key})` : key;
    const next = walk(field, depth + 1);
    isChanged ||= name !== key || next !== field;
    return [name, next] as const;
  });
  return isChanged ? Object.fromEntries(fields) : value;
}

function isTrap(key: string, field: unknown): boolean {
  if (key === '__proto__') return true;
  return key === 'constructor' && typeof field === 'object' && field !== null && Object.hasOwn(field, 'prototype');
}
