// An input that somebody wrote in the place of the one that an agent asked for.

import { hiddenIn, type Json } from '@tailrace/core';

export type EditedInput = { readonly input: Json } | { readonly fault: string };

/** An input to be edited: what hides in it is written as JSON writes it, so that it is seen and means the same. */
export function editableText(input: Json | undefined): string {
  return hiddenIn(JSON.stringify(input ?? {}, null, 2))
    .map(({ text, isHidden }) => (isHidden ? escaped(text) : text))
    .join('');
}

function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}

/** What the person wrote in the place of an input: an object, as every call takes. */
export function readEdited(text: string): EditedInput {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { fault: 'It has to be an object: { … }' };
    return { input: value };
  } catch (error) {
    return { fault: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
