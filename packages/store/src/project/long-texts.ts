// Long texts in events are, with few exceptions, long texts of the line that told them. They are not kept a second time: the events
// of a line name the place in the line instead, and whoever reads them looks there.

import { Buffer } from 'node:buffer';
import type { Json } from '@tailrace/core';

type Path = readonly (string | number)[];

/** Where a text is missing, and where it stands in the line. */
export type Reference = readonly [at: Path, from: Path];

/** Texts and lines under these sizes are kept as they are. */
const LONG_TEXT = 512;
const LONG_LINE = 2_048;
/** No more of a value is looked at than this: what is larger than that is kept as it is. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 16;
/** Names that mean something to every object. */
const SPECIAL: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The value without the long texts that stand in the line too, and where they are. */
export function leaveOut<T>(
  value: T,
  line: Uint8Array,
): { readonly value: T; readonly references: readonly Reference[] } {
  if (line.length < LONG_LINE) return { value, references: [] };
  const places = placesIn(parse(line));
  const references: Reference[] = [];
  if (places.size === 0) return { value, references };
  const left = replaceIn(value, (text, at) => {
    const from = places.get(text);
    if (!from) return text;
    references.push([at, from]);
    return '';
  });
  // Only texts were replaced by texts.
  return { value: left as T, references };
}

/** Puts the texts back, into a value that nobody else has. */
export function putBack(value: Json, references: readonly Reference[], line: Uint8Array): void {
  const source = parse(line);
  for (const [at, from] of references) {
    const holder = at.slice(0, -1).reduce<Json>(childOf, value);
    const name = at.at(-1);
    if (typeof holder === 'object' && holder !== null && name !== undefined)
      (holder as Record<string | number, Json>)[name] = from.reduce<Json>(childOf, source);
  }
}

function parse(line: Uint8Array): Json {
  try {
    return JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString());
  } catch {
    return undefined;
  }
}

function childOf(value: Json, name: string | number): Json {
  return typeof value === 'object' && value !== null ? (value as Record<string | number, Json>)[name] : undefined;
}

function placesIn(line: Json): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>();
  replaceIn(line, (text, path) => {
    if (!places.has(text)) places.set(text, path);
    return text;
  });
  return places;
}

/** Asks for each long text what shall stand in its place. Where something is replaced a copy is made; the value stays as it is. */
function replaceIn(value: Json, replace: (text: string, path: Path) => string): Json {
  let left = MAX_VALUES;
  function walk(one: Json, path: Path): Json {
    if (typeof one === 'string') return one.length < LONG_TEXT ? one : replace(one, path);
    if (typeof one !== 'object' || one === null || path.length >= MAX_DEPTH) return one;
    let copy: Record<string | number, Json> | undefined;
    for (const name of Object.keys(one)) {
      if (left-- <= 0) break;
      const child = (one as Record<string, Json>)[name];
      if ((typeof child !== 'string' && typeof child !== 'object') || SPECIAL.has(name)) continue;
      const key = Array.isArray(one) ? Number(name) : name;
      const other = walk(child, [...path, key]);
      if (other === child) continue;
      copy ??= (Array.isArray(one) ? [...one] : { ...one }) as Record<string | number, Json>;
      copy[key] = other;
    }
    return copy ?? one;
  }
  return walk(value, []);
}
