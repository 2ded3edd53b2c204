// How sure we are that a message is Gemini's: its types are common words, so the fields beside them decide.

import { asObject, asText, type Json } from '../../event/json.ts';
import type { GeminiLine } from './wire.ts';

/** The texts that a line of each type has, beside its time. */
const FIELDS: ReadonlyMap<Json, readonly (keyof GeminiLine)[]> = new Map([
  ['init', ['session_id', 'model']],
  ['message', ['role', 'content']],
  ['tool_use', ['tool_name', 'tool_id']],
  ['tool_result', ['tool_id', 'status']],
  ['error', ['severity', 'message']],
  ['result', ['status']],
]);

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>((most, message) => Math.max(most, sureness(message)), 0);
}

function sureness(message: Json): number {
  const line = asObject<GeminiLine>(message);
  const fields = FIELDS.get(line?.type);
  if (!line || !fields?.every((field) => asText(line[field]) !== undefined)) return 0;
  return asText(line.timestamp) === undefined ? 0.4 : 0.9;
}
