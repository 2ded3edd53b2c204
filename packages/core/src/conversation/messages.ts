// What is known of whole answers, and what is taken back.

import type { EventOf } from '../event/event.ts';
import type { Conversation, MessageFacts, Part } from './conversation.ts';
import { findEntry, insertEntry, lastEntry, remember, replaceEntry } from './list.ts';
import { noteTime, told } from './place.ts';

export function startMessage(conversation: Conversation, event: EventOf<'message-start'>): Conversation {
  return putMessage(noteTime(conversation, event), event, told({ model: event.model }));
}

/** A second end corrects the first. */
export function endMessage(conversation: Conversation, event: EventOf<'message-end'>): Conversation {
  const { stopReason, usage, error } = event;
  return putMessage(conversation, event, told({ stopReason, usage, error }));
}

function putMessage(
  conversation: Conversation,
  event: EventOf<'message-start' | 'message-end'>,
  facts: Partial<MessageFacts>,
): Conversation {
  const { messages } = conversation;
  const known = findEntry(messages, event.messageId);
  if (known) return { ...conversation, messages: replaceEntry(messages, known, { ...known, ...facts }) };
  const message: MessageFacts = {
    id: event.messageId,
    order: [0, 0, 0, (lastEntry(messages)?.order[3] ?? 0) + 1],
    ...(event.subagentId !== undefined && { subagentId: event.subagentId }),
    ...facts,
  };
  return { ...conversation, messages: insertEntry(messages, message) };
}

/** Why the message was taken back, if it was: what is still told of it is taken back too. */
export function retractionOf(conversation: Conversation, messageId: string | undefined): string | undefined {
  return messageId === undefined ? undefined : findEntry(conversation.messages, messageId)?.retracted;
}

/** Marks what is taken back. It is kept: people may want to see what it was. */
export function retract(conversation: Conversation, event: EventOf<'message-retract'>): Conversation {
  const { reason } = event;
  const ids = new Set([
    ...(event.blockIds ?? []).map((id) => `block:${id}`),
    ...(event.toolCallIds ?? []).map((id) => `call:${id}`),
  ]);
  let { parts, messages } = conversation;
  for (const messageId of event.messageIds ?? []) {
    const message = findEntry(messages, messageId);
    if (message) messages = replaceEntry(messages, message, { ...message, retracted: reason });
    for (const chunk of parts) for (const id of idsByMessage(chunk).get(messageId) ?? []) ids.add(id);
  }
  for (const id of ids) {
    const part = findEntry(parts, id);
    if (part && part.retracted !== reason) parts = replaceEntry(parts, part, { ...part, retracted: reason });
  }
  return parts === conversation.parts && messages === conversation.messages
    ? conversation
    : { ...conversation, parts, messages };
}

const idsByMessage = remember((chunk: readonly Part[]): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const { id, messageId } of chunk) {
    if (messageId === undefined) continue;
    const ids = found.get(messageId);
    if (ids) ids.push(id);
    else found.set(messageId, [id]);
  }
  return found;
});
