// What of a call's input is worth finding. Which field holds a command is an agent's own matter: whatever is text counts.

import type { Json } from '@tailrace/core';

const MAX_DEPTH = 4;
/** A script that is handed to a shell may be long; what it does is found by its beginning. */
const MAX_TEXT = 4_000;

/** All texts in the input of a call, one below the other. */
export function textsOf(input: Json): string {
  const texts: string[] = [];
  let length = 0;
  const collect = (value: Json, depth: number): void => {
    if (length >= MAX_TEXT || depth > MAX_DEPTH) return;
    if (typeof value === 'string') {
      texts.push(value);
      length += value.length;
    } else if (Array.isArray(value)) {
      // Words of one command.
      const isWords = value.every((one) => typeof one === 'string');
      if (isWords && value.length > 0) collect(value.join(' '), depth + 1);
      else for (const one of value) collect(one, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const one of Object.values(value)) collect(one, depth + 1);
    }
  };
  collect(input, 0);
  return texts
    .filter((text) => text.trim() !== '')
    .join('\n')
    .slice(0, MAX_TEXT);
}
