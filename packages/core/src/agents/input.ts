// Inputs of tools: as text that is to be read, and as fields that tell what a call is about.

import type { Location } from '../event/event.ts';
import { asObject, asText, type Json } from '../event/json.ts';
import { parseText } from '../lines/parse.ts';

/** What the text of an input makes; one that is no JSON, or nested too deep, is kept as it is. */
export function inputFrom(text: string): Json {
  return text === '' ? {} : (parseText(text) ?? text);
}

/** The first of these fields that holds a text: what tells this call from others of the same tool. */
export function firstText(input: Json, fields: readonly string[]): string | undefined {
  const told = asObject(input);
  for (const field of fields) {
    const text = asText(told?.[field]);
    if (text) return text;
  }
  return undefined;
}

/** The one place that a call is about, where it names one. */
export function placeAt(path: string | undefined, line?: number): readonly Location[] | undefined {
  if (path === undefined) return undefined;
  return [line === undefined ? { path } : { path, line }];
}
