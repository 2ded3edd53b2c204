// A tool's input that came as text.

import type { Json } from '../event/json.ts';
import { parseText } from '../lines/parse.ts';

/** What the text of an input makes; one that is no JSON, or nested too deep, is kept as it is. */
export function inputFrom(text: string): Json {
  return text === '' ? {} : (parseText(text) ?? text);
}
