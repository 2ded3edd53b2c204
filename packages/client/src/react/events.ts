// The last messages of a subscription, in a list that does not grow for ever.

import type { Problem } from '@tailrace/protocol';
import type { Client } from '../client.ts';
import type { FeedMessage, LineMessage } from '../feed/message.ts';
import { isLineMessage } from '../feed/message.ts';
import type { SubscribeOptions } from '../feed/subscriptions.ts';
import type { Source } from './live-store.ts';

export interface EventsView {
  /** The oldest first. */
  readonly messages: readonly LineMessage[];
  /** How many there were before those. */
  readonly dropped: number;
  readonly isLive: boolean;
  readonly problem: Problem | null;
}

export const emptyEvents: EventsView = { messages: [], dropped: 0, isLive: false, problem: null };

export function startEvents(
  client: Client,
  options: SubscribeOptions,
  limit: number,
  touch: () => void,
): Source<EventsView> {
  let messages: LineMessage[] = [];
  let dropped = 0;
  let isLive = false;
  let problem: Problem | null = null;

  function take(message: FeedMessage): void {
    if (isLineMessage(message)) messages.push(message);
    else if (message.type === 'live') {
      isLive = true;
      problem = null;
    } else if (message.type === 'failed') problem = message.problem;
    else if (message.type === 'reset' && message.sessionId === undefined) {
      messages = [];
      dropped = 0;
      isLive = false;
    } else if (message.type === 'reset' || message.type === 'gone') forget(message.sessionId);
  }

  /** What was told of a session is no longer so. */
  function forget(sessionId: string | undefined): void {
    messages = messages.filter((message) => message.type !== 'event' || message.sessionId !== sessionId);
  }

  function trim(): void {
    if (messages.length <= limit) return;
    dropped += messages.length - limit;
    messages = messages.slice(messages.length - limit);
  }

  const subscription = client.subscribe(options, (fresh) => {
    fresh.forEach(take);
    // Twice as many, so that not each message costs a copy of all.
    if (messages.length > 2 * limit) trim();
    touch();
  });

  return {
    read() {
      trim();
      return { messages: [...messages], dropped, isLive, problem };
    },
    stop: () => subscription.close(),
  };
}
