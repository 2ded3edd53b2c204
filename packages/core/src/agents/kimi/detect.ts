// How sure we are that a message is Kimi's: it has a role where others have a type.

import { asObject, asText, type Json } from '../../event/json.ts';
import type { KimiLine } from './wire.ts';

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>((most, message) => Math.max(most, sureness(message)), 0);
}

function sureness(message: Json): number {
  const line = asObject<KimiLine>(message);
  if (!line) return 0;
  switch (line.role) {
    case 'meta':
      return asText(line.type) === undefined ? 0.3 : 0.9;
    case 'assistant':
      // Any chat log looks like this: enough for a piece of a stream, not against somebody who knows better.
      return line.type === undefined && (line.content !== undefined || Array.isArray(line.tool_calls)) ? 0.5 : 0;
    case 'tool':
      return asText(line.tool_call_id) === undefined ? 0.2 : 0.6;
    default:
      return line.type === 'goal.summary' && line.goalId !== undefined ? 0.9 : 0;
  }
}
