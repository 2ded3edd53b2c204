// How sure we are that a message is goose's: its types are common words, so its own fields decide.

import { asNumber, asObject, asText, type Json } from '../../event/json.ts';
import type { GooseLine, GooseMessage } from './wire.ts';

export function detect(messages: readonly Json[]): number {
  return messages.reduce<number>((most, message) => Math.max(most, sureness(message)), 0);
}

function sureness(value: Json): number {
  const line = asObject<GooseLine>(value);
  switch (line?.type) {
    case 'message': {
      const message = asObject<GooseMessage>(line.message);
      if (!message || !Array.isArray(message.content) || asNumber(message.created) === undefined) return 0;
      return typeof asObject<GooseMessage['metadata']>(message.metadata)?.userVisible === 'boolean' ? 0.9 : 0.6;
    }
    case 'complete':
      return line.total_tokens === null || asNumber(line.total_tokens) !== undefined ? 0.8 : 0.1;
    case 'notification':
      return asText(line.extension_id) !== undefined && (asObject(line.log) || asObject(line.progress)) ? 0.8 : 0.1;
    case 'error':
      // Others have an object there, or a `message`.
      return asText(line.error) !== undefined && Object.keys(line).length === 2 ? 0.5 : 0;
    default:
      return 0;
  }
}
