// What was said, by people and by the agent.

import type { AgentStreamEvent, EventOf } from '@tailrace/core';
import type { Changes } from './changes.ts';
import { createPrompts, type Prompts, type Teller } from './prompts.ts';
import type { MessageRow, Place } from './rows.ts';
import { isTime, orderOf, whenOf } from './times.ts';

export interface MessageMaker {
  readonly prompts: Pick<Prompts, 'first' | 'checkpoints'>;
  /** Hears an event of one stream, also one that tells nothing new: it may know the time of what another told without one. */
  hear(event: AgentStreamEvent): void;
  say(event: EventOf<'user-message' | 'run-start'>, place: Place): void;
  start(event: EventOf<'message-start'>, place: Place): void;
  endText(event: EventOf<'text-end'>, place: Place): void;
  retract(event: EventOf<'message-retract'>): void;
  /** A call is a part of an answer. */
  noteCall(event: EventOf<'tool-call-start'>): void;
}

export function createMessageMaker(changes: Changes): MessageMaker {
  const prompts = createPrompts();
  const answers = new Map<string, MessageRow>();
  /** Texts of the answers, to take them back by. */
  const textsByBlock = new Map<string, number>();
  const blocksByMessage = new Map<string, string[]>();
  /** What nobody has told the time of yet: answers, the calls that are parts of them, prompts. */
  const untimed = new Set<string>();
  const messageOfCall = new Map<string, string>();
  const untimedPrompts = new Map<string, MessageRow>();
  let count = 0;

  function create(event: AgentStreamEvent, place: Place, facts: Pick<MessageRow, 'id' | 'role' | 'model'>): MessageRow {
    return {
      ...facts,
      number: count++,
      subagentId: event.subagentId ?? null,
      at: whenOf(event, place),
      order: orderOf(event, place),
      position: place.position,
    };
  }

  function setTime(message: MessageRow, time: number): void {
    message.order = time;
    message.at = time;
    changes.message(message);
  }

  function hear(event: AgentStreamEvent): void {
    if (!isTime(event.time)) return;
    if (event.type === 'user-message') {
      const prompt = untimedPrompts.get(event.messageId ?? '');
      if (!prompt) return;
      untimedPrompts.delete(event.messageId ?? '');
      setTime(prompt, event.time);
      return;
    }
    if (untimed.size === 0) return;
    // A streamed answer has its time from its first whole block.
    const call = 'toolCallId' in event ? (event.toolCallId ?? '') : '';
    const id = ('messageId' in event ? event.messageId : messageOfCall.get(call)) ?? '';
    const answer = answers.get(id);
    if (answer && untimed.delete(id)) setTime(answer, event.time);
  }

  /** Until somebody has told its time. */
  function remember(message: MessageRow, event: AgentStreamEvent): void {
    if (message.id === null) return;
    if (isTime(event.time)) untimedPrompts.delete(message.id);
    else untimedPrompts.set(message.id, message);
  }

  return {
    prompts,
    hear,
    say(event, place) {
      const { text, id, teller } = saidIn(event);
      const known = prompts.find(text, teller, event.subagentId ?? null);
      const message = known ?? create(event, place, { id, role: 'user', model: null });
      message.id ??= id;
      remember(message, event);
      if (known && isTime(event.time)) setTime(known, event.time);
      else changes.message(message);
      if (known) return;
      prompts.put(message, text);
      changes.text(event, place, { kind: 'prompt', text, message: message.number, messageId: id });
    },
    start(event, place) {
      const answer = create(event, place, { id: event.messageId, role: 'agent', model: event.model ?? null });
      answers.set(event.messageId, answer);
      if (!isTime(event.time)) untimed.add(event.messageId);
      changes.message(answer);
    },
    endText(event, place) {
      const { messageId, blockId, text } = event;
      const message = answers.get(messageId)?.number ?? null;
      const number = changes.text(event, place, { kind: 'answer', text, message, messageId });
      if (number === undefined) return;
      textsByBlock.set(blockId, number);
      const blocks = blocksByMessage.get(messageId);
      if (blocks) blocks.push(blockId);
      else blocksByMessage.set(messageId, [blockId]);
    },
    retract({ messageIds = [], blockIds = [] }) {
      for (const block of [...blockIds, ...messageIds.flatMap((id) => blocksByMessage.get(id) ?? [])]) {
        const text = textsByBlock.get(block);
        if (text === undefined) continue;
        textsByBlock.delete(block);
        changes.removeText(text);
      }
      for (const id of messageIds) {
        const answer = answers.get(id);
        if (answer) changes.removeMessage(answer.number);
        answers.delete(id);
      }
    },
    noteCall({ toolCallId, messageId }) {
      if (messageId !== undefined && untimed.has(messageId)) messageOfCall.set(toolCallId, messageId);
    },
  };
}

/** What a person said, whoever tells it. */
function saidIn(event: EventOf<'user-message' | 'run-start'>): {
  readonly text: string;
  readonly id: string | null;
  readonly teller: Teller;
} {
  if (event.type === 'run-start') return { text: event.prompt ?? '', id: event.promptId ?? null, teller: 'host' };
  const text = event.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  return event.messageId === undefined
    ? { text, id: null, teller: 'nameless' }
    : { text, id: event.messageId, teller: 'named' };
}
