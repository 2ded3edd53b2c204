// Older and look-alike shapes of the stream → the shape of today: mocks, early versions, and tools that imitate the CLI.
// A message that has today's shape passes through untouched.

import { asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import type { WireBlock, WireLine } from './wire.ts';

/** The API's own events, which some print as lines. */
export const STREAM_EVENTS: ReadonlySet<string> = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_delta',
  'message_stop',
  'ping',
]);

/** The line in today's shape. */
export function modernize(line: Loose<WireLine>): Loose<WireLine> {
  const type = asText(line.type);
  switch (type) {
    case 'assistant':
    case 'user':
      return withMessage(line, type);
    case 'init':
      return { ...line, type: 'system', subtype: 'init' };
    case 'tool_use':
      return { ...line, type: 'assistant', ...messageOf('assistant', [line]) };
    case 'tool_result':
      return { ...line, type: 'user', ...messageOf('user', [line]) };
    case 'error':
      return { ...line, type: 'stream_event', ...{ event: line } };
    default:
      return type !== undefined && STREAM_EVENTS.has(type)
        ? { ...line, type: 'stream_event', ...{ event: line } }
        : line;
  }
}

function withMessage(line: Loose<WireLine & { message: Json; content: Json }>, role: string): Loose<WireLine> {
  const message = asObject<WireBlock & { role: string }>(line.message);
  if (!message) return line.content === undefined ? line : { ...line, ...messageOf(role, line.content) };
  // One bare block in place of a message.
  const isBlock = message.role === undefined && asText(message.type) !== undefined && message.type !== 'message';
  return isBlock ? { ...line, ...messageOf(role, [message]) } : line;
}

function messageOf(role: string, content: Json): { readonly message: Json } {
  return { message: { role, content } };
}
