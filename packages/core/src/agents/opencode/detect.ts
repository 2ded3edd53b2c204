// How sure we are that a message is OpenCode's: every line has the session's id and a part, or an error.

import { asNumber, asObject, asText, type Json } from '../../event/json.ts';
import type { OpenCodeLine } from './wire.ts';

const PARTS: ReadonlySet<Json> = new Set(['step_start', 'step_finish', 'text', 'reasoning', 'tool_use']);

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>((most, message) => Math.max(most, sureness(message)), 0);
}

function sureness(message: Json): number {
  const line = asObject<OpenCodeLine>(message);
  const session = asText(line?.sessionID);
  if (!line || session === undefined || asNumber(line.timestamp) === undefined) return 0;
  const isWhole = PARTS.has(line.type) ? asObject(line.part) : line.type === 'error' && asObject(line.error);
  if (!isWhole) return 0.3;
  return session.startsWith('ses_') ? 0.9 : 0.7;
}
