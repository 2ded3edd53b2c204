// Reading what a tool was given, or gave back. Its form is the tool's own: nothing is there until somebody has looked.

import type { ContentPart, Json } from '@tailrace/core';

/** The first of these fields that is a text with something in it. */
export function textField(value: Json, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const field = fieldOf(value, name);
    if (typeof field === 'string' && field !== '') return field;
  }
  return undefined;
}

/** The first of these fields that is a number. */
export function numberField(value: Json, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const field = fieldOf(value, name);
    if (typeof field === 'number' && Number.isFinite(field)) return field;
  }
  return undefined;
}

export function fieldOf(value: Json, name: string): Json {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  // It has that field, whatever is in it.
  return (value as Record<string, Json>)[name];
}

/** All texts of a content, one after the other. */
export function textsOf(content: readonly ContentPart[] | undefined): string {
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** A value on one line, as far as anybody reads it. */
export function shortJson(value: Json, length = 160): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value) ?? '';
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
