// A session's events, folded as they come.

import { type AgentStreamEvent, type Conversation, createConversation, reduce } from '@tailrace/core';
import type { Problem } from '@tailrace/protocol';
import type { Client } from '../client.ts';
import type { FeedMessage } from '../feed/message.ts';
import type { Source } from './live-store.ts';

export interface ConversationView {
  readonly conversation: Conversation;
  /** Everything that was there is in it; what comes is new. */
  readonly isLive: boolean;
  /** There is no such session any more. */
  readonly isGone: boolean;
  /** It turned out to be a part of this one. */
  readonly movedTo: string | null;
  /** Why nothing comes. */
  readonly problem: Problem | null;
}

export const emptyConversation: ConversationView = {
  conversation: createConversation(),
  isLive: false,
  isGone: false,
  movedTo: null,
  problem: null,
};

export function startConversation(client: Client, sessionId: string, touch: () => void): Source<ConversationView> {
  let view = emptyConversation;
  // Kept apart: it changes with every event.
  let conversation = emptyConversation.conversation;
  /** What closes the session while nobody writes to it: it holds until it goes on. */
  let closing: readonly AgentStreamEvent[] = [];
  let subscription = listen();

  function listen(): ReturnType<Client['subscribe']> {
    beginAnew();
    return client.subscribe({ view: 'events', sessions: [sessionId] }, (messages) => {
      messages.forEach(take);
      touch();
    });
  }

  function take(message: FeedMessage): void {
    if (message.type === 'event') {
      conversation = reduce(conversation, message.event);
      closing = [];
    } else if (message.type === 'ended') closing = message.sessionId === sessionId ? message.events : closing;
    else if (message.type === 'live') view = { ...view, isLive: true, problem: null };
    else if (message.type === 'failed') view = { ...view, problem: message.problem };
    else if (message.type === 'gone' && message.sessionId === sessionId)
      view = { ...view, isGone: true, movedTo: message.movedTo ?? null };
    else if (message.type === 'reset') reset(message.sessionId);
  }

  function beginAnew(): void {
    view = emptyConversation;
    conversation = emptyConversation.conversation;
    closing = [];
  }

  function reset(about: string | undefined): void {
    if (about === undefined) beginAnew();
    else if (about === sessionId) {
      // Nothing of it is sent again unless somebody asks.
      subscription.close();
      subscription = listen();
    }
  }

  return {
    read: () => ({ ...view, conversation: closing.reduce(reduce, conversation) }),
    stop: () => subscription.close(),
  };
}
