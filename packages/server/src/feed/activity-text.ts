import { type ActivityMessage, MAX_WHOLE_EVENT_BYTES } from '@tailrace/protocol';
import { cutShort } from './cut-short.ts';
import { MAX_MESSAGES_BYTES } from './frames.ts';
import { lineRef } from './line-ref.ts';

/** An activity message as JSON: of one that is long, the long strings are cut. */
export function activityTextOf(sessionId: string, position: number, message: ActivityMessage): string {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) <= MAX_WHOLE_EVENT_BYTES) return text;
  const { short, ...rest } = cutShort(message, lineRef(sessionId, position), MAX_MESSAGES_BYTES);
  return JSON.stringify({ ...short, ...rest });
}
