// How sure we are that a message is Codex's: its types have a dot in them, and an item is an object.

import { asObject, asText, type Json } from '../../event/json.ts';
import { readRetry } from './errors.ts';
import type { CodexItem, CodexLine } from './wire.ts';

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>((most, message) => Math.max(most, sureness(message)), 0);
}

function sureness(message: Json): number {
  const line = asObject<CodexLine>(message);
  switch (line?.type) {
    case 'thread.started':
      return asText(line.thread_id) === undefined ? 0.5 : 0.9;
    case 'turn.started':
      return 0.7;
    case 'turn.completed':
      return asObject(line.usage) ? 0.9 : 0.6;
    case 'turn.failed':
      return asObject(line.error) ? 0.9 : 0.6;
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return asText(asObject<CodexItem>(line.item)?.type) === undefined ? 0.3 : 0.9;
    case 'error':
      return surenessOfError(asText(line.message));
    default:
      return 0;
  }
}

/** Anybody may say that there is an error; how it tells of a retry is its own. */
function surenessOfError(message: string | undefined): number {
  if (message === undefined) return 0;
  return readRetry(message) ? 0.7 : 0.3;
}
