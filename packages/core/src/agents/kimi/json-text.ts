import type { Json } from '../../event/json.ts';

/** The value of a text that should be JSON, or the text itself. */
export function parsedOr(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
