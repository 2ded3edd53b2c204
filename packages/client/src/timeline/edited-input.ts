// An input that somebody wrote in the place of the one that an agent asked for.

import type { Json } from '@tailrace/core';

export type EditedInput = { readonly input: Json } | { readonly fault: string };

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
