// What a subscription hears.

import type { ServerMessage } from '@tailrace/protocol';

/** Everything that is about a subscription; what is about the socket stays inside. */
export type FeedMessage = Exclude<ServerMessage, { readonly type: 'hello' | 'behind' | 'reply' | 'ping' }>;

/** What a line of the record was made into: only this is told again after a break. */
export type LineMessage = Exclude<FeedMessage, { readonly type: 'live' | 'reset' | 'ended' | 'gone' | 'failed' }>;

export function isFeedMessage(message: ServerMessage): message is FeedMessage {
  const { type } = message;
  return type !== 'hello' && type !== 'behind' && type !== 'reply' && type !== 'ping';
}

export function isLineMessage(message: FeedMessage): message is LineMessage {
  const { type } = message;
  return type !== 'live' && type !== 'reset' && type !== 'ended' && type !== 'gone' && type !== 'failed';
}
