// A conversation as a chat: messages with a role, and what each of their parts holds.

import type { AgentError, ContentPart, FileChange, TodoEntry } from '../event/event.ts';
import type { Call, Conversation, MessageFacts, Part, Question, Task } from './conversation.ts';
import { remember } from './list.ts';
import { segmentsOf } from './segments.ts';
import { messageById, partsOf } from './select.ts';

/** Parts that belong together: a prompt, an answer of the model up to where something came between, or a remark. */
export interface Message {
  /** Its first part's. */
  readonly id: string;
  /** `system`: neither the person nor the model. */
  readonly role: 'user' | 'assistant' | 'system';
  readonly messageId?: string;
  readonly parts: readonly Part[];
  /** What is known of the answer: model, tokens, why it stopped. */
  readonly facts?: MessageFacts;
}

/** The messages of one thread. One whose parts did not change is the same object as before. */
export function messagesOf(conversation: Conversation, subagentId?: string): readonly Message[] {
  const messages: Message[] = [];
  let group: Part[] = [];
  for (const part of partsOf(conversation, subagentId)) {
    const [first] = group;
    if (first && !belongTogether(first, part)) {
      messages.push(messageOf(conversation, first, group));
      group = [];
    }
    group.push(part);
  }
  const [first] = group;
  if (first) messages.push(messageOf(conversation, first, group));
  return messages;
}

function belongTogether(a: Part, b: Part): boolean {
  return a.messageId !== undefined && a.messageId === b.messageId && roleOf(a) === 'assistant';
}

/** The last message that began with a part. Views ask for all messages again and again; hardly any has changed. */
const lastMade = new WeakMap<Part, Message>();

function messageOf(conversation: Conversation, first: Part, parts: readonly Part[]): Message {
  const { messageId } = first;
  const facts = messageId === undefined ? undefined : messageById(conversation, messageId);
  const known = lastMade.get(first);
  const isSame =
    known?.facts === facts &&
    known?.parts.length === parts.length &&
    parts.every((part, at) => part === known.parts[at]);
  if (known && isSame) return known;
  const message: Message = {
    id: first.id,
    role: roleOf(first),
    ...(messageId !== undefined && { messageId }),
    parts,
    ...(facts && { facts }),
  };
  lastMade.set(first, message);
  return message;
}

function roleOf(part: Part): Message['role'] {
  switch (part.type) {
    case 'prompt':
      return part.origin === 'injected' ? 'system' : 'user';
    case 'text':
    case 'reasoning':
    case 'call':
      return 'assistant';
    case 'mode':
    case 'plan':
      return part.toolCallId === undefined ? 'system' : 'assistant';
    default:
      return 'system';
  }
}

/** What a message can hold. */
export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly code: string; readonly isClosed: boolean }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'todos'; readonly entries: readonly TodoEntry[] }
  | { readonly kind: 'changes'; readonly changes: readonly FileChange[] }
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'subagent'; readonly task: Task; readonly call?: Call }
  | { readonly kind: 'error'; readonly error: AgentError }
  | { readonly kind: 'other'; readonly part: Part };

/** What a part holds: one thing mostly; a text is cut into prose and code, and an edit is a call and its changes. */
export const contentsOf: (part: Part) => readonly Content[] = remember((part): readonly Content[] => {
  switch (part.type) {
    case 'text':
      return contentsOfText(part.text);
    case 'reasoning':
      return [{ kind: 'reasoning', text: part.text }];
    case 'prompt':
      return part.content.flatMap((one: ContentPart) =>
        one.type === 'text' ? contentsOfText(one.text) : [{ kind: 'other' as const, part }],
      );
    case 'call':
      return contentsOfCall(part);
    case 'task':
      return part.task.kind === 'agent' ? [{ kind: 'subagent', task: part.task }] : [{ kind: 'other', part }];
    case 'question':
      return [{ kind: 'question', question: part.question }];
    case 'changes':
      return [{ kind: 'changes', changes: part.changes }];
    case 'error':
      return [{ kind: 'error', error: part.error }];
    case 'turn':
      if (part.error) return [{ kind: 'error', error: part.error }];
      return part.text === undefined ? [{ kind: 'other', part }] : contentsOfText(part.text);
    case 'raw':
      return part.text !== undefined && part.hidden === undefined
        ? [{ kind: 'text', text: part.text }]
        : [{ kind: 'other', part }];
    default:
      return [{ kind: 'other', part }];
  }
});

function contentsOfText(text: string): readonly Content[] {
  return segmentsOf(text).map((segment) =>
    segment.type === 'prose'
      ? { kind: 'text', text: segment.text }
      : { kind: 'code', language: segment.language, code: segment.code, isClosed: segment.isClosed },
  );
}

function contentsOfCall(call: Call): readonly Content[] {
  const { question, todos, changes, task } = call;
  const itself: Content = question
    ? { kind: 'question', question }
    : todos
      ? { kind: 'todos', entries: todos }
      : task?.kind === 'agent'
        ? { kind: 'subagent', task, call }
        : { kind: 'call', call };
  return changes ? [itself, { kind: 'changes', changes }] : [itself];
}
