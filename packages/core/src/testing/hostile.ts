// Messages as no agent should print them: each field of a recorded message replaced by what is not expected there.

import type { Json } from '../event/json.ts';
import { MAX_DEPTH } from '../lines/limits.ts';

/** Which field: names and positions from the outside in. */
type FieldPath = readonly (string | number)[];

/** Deeper than this, and further into a list, the same shapes come again. */
const MAX_PATH = 7;
const MAX_ITEMS = 3;

/** The fields of a message, the message's own and those inside. */
export function fieldsOf(message: Json, path: FieldPath = []): FieldPath[] {
  if (path.length >= MAX_PATH || typeof message !== 'object' || message === null) return [];
  const entries: readonly (readonly [string | number, Json])[] = Array.isArray(message)
    ? message.slice(0, MAX_ITEMS).map((item, index) => [index, item] as const)
    : Object.entries(message);
  return entries.flatMap(([key, value]) => [[...path, key], ...fieldsOf(value, [...path, key])]);
}

/** A copy of the message with another value in one field. */
export function replaceField(message: Json, path: FieldPath, value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(message)) return message.map((item, at) => (at === key ? replaceField(item, rest, value) : item));
  // A path leads only through objects and lists.
  const fields = Object.entries(message as object);
  return Object.fromEntries(
    fields.map(([name, item]) => [name, name === key ? replaceField(item, rest, value) : item]),
  );
}

/** What fields are replaced by. */
export const STRANGE_VALUES: readonly Json[] = [
  null,
  -1,
  'tailrace_invented',
  [],
  {},
  true,
  1e308,
  '',
  [null, 1, 'x', [], {}],
  // Parsed, because in a literal this name is no ordinary key.
  JSON.parse('{ "type": {}, "id": [], "content": 1, "__proto__": { "type": "x" } }'),
];

/** Messages that are none. */
export const STRANGE_MESSAGES: readonly Json[] = [
  null,
  true,
  0,
  -1e308,
  '',
  'text',
  [],
  [[]],
  [null],
  {},
  { type: null },
  { type: 1 },
  { type: '' },
  { type: [] },
  { type: {} },
  { type: 'constructor' },
  { type: '__proto__' },
  JSON.parse('{ "__proto__": { "type": "x" } }'),
  { type: 'toString', toString: 1, hasOwnProperty: null },
  nest(MAX_DEPTH - 2),
];

function nest(depth: number): Json {
  let value: Json = {};
  for (let level = 1; level < depth; level++) value = level % 2 === 0 ? { type: value } : [value];
  return { type: 'tailrace_invented', value };
}
