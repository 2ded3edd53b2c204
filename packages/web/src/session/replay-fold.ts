// The conversation as it was after any number of events. Going on costs what is new; going back begins at a copy that was kept,
// which costs nothing to keep, since a conversation never changes.

import { type AgentStreamEvent, type Conversation, createConversation, reduce } from '@tailrace/core';

const KEPT_EVERY = 2000;

/** Gives the conversation after the first `count` of the events. */
export function createReplayFold(
  events: readonly { readonly event: AgentStreamEvent }[],
): (count: number) => Conversation {
  const kept: Conversation[] = [createConversation()];
  let at = 0;
  let conversation = createConversation();

  return (count) => {
    const wanted = Math.min(Math.max(0, count), events.length);
    const place = Math.min(Math.floor(wanted / KEPT_EVERY), kept.length - 1);
    if (wanted < at || place * KEPT_EVERY > at) {
      at = place * KEPT_EVERY;
      conversation = kept[place] ?? createConversation();
    }
    while (at < wanted) {
      const next = events[at];
      if (next) conversation = reduce(conversation, next.event);
      at++;
      if (at % KEPT_EVERY === 0 && at / KEPT_EVERY === kept.length) kept.push(conversation);
    }
    return conversation;
  };
}
