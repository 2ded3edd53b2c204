// Events for the tests of this folder: recorded ones, and any that a generator comes upon.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AgentStreamEvent, type Conversation, createConversation, reduce } from '@tailrace/core';
import type { EventMessage } from '@tailrace/protocol';
import fc from 'fast-check';

const FOLDER = '../../../fixtures/claude/2.1.325/';

/** What a recorded session was made into. */
export function recorded(name: string): readonly AgentStreamEvent[] {
  const file = fileURLToPath(new URL(`${FOLDER}${name}.events.json`, import.meta.url));
  // The golden files hold events and nothing else.
  return JSON.parse(readFileSync(file, 'utf8')) as readonly AgentStreamEvent[];
}

export function conversationOf(events: readonly AgentStreamEvent[]): Conversation {
  return events.reduce(reduce, createConversation());
}

export function messagesOf(events: readonly AgentStreamEvent[], sessionId = 's'): readonly EventMessage[] {
  return events.map((event, position) => ({ type: 'event', sessionId, position, event }));
}

/** An event with what every event has; whoever writes one knows its type. */
export function event(fields: object): AgentStreamEvent {
  return { seq: 0, ...fields } as AgentStreamEvent;
}

const id = fc.constantFrom('a', 'b', 'c', 'd');
const thread = fc.option(id, { nil: undefined });
const time = fc.option(fc.integer({ min: 1_000, max: 1_050 }), { nil: undefined });

/** Texts, calls and tasks of a few threads, in any order: also of tasks that nobody started, or that started each other. */
export const anyEvents: fc.Arbitrary<readonly AgentStreamEvent[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom(
        'text-end',
        'tool-call-start',
        'task-start',
        'task-end',
        'notice',
        'message-retract',
        'text-delta',
      ),
      id,
      thread,
      time,
      id,
    )
    .map(([type, one, subagentId, at, taskId]) =>
      event({
        type,
        ...(subagentId !== undefined && { subagentId }),
        ...(at !== undefined && { time: at, at }),
        ...fieldsOf(type, one, taskId),
      }),
    ),
  { maxLength: 40, size: 'max' },
);

function fieldsOf(type: string, one: string, taskId: string): object {
  switch (type) {
    case 'text-end':
      return { messageId: one, blockId: one, text: `text ${one}` };
    case 'text-delta':
      return { messageId: one, blockId: one, delta: one };
    case 'tool-call-start':
      return { toolCallId: one, toolName: 'Tool', kind: 'other' };
    case 'task-start':
      return { taskId, kind: 'agent', toolCallId: one };
    case 'task-end':
      return { taskId, outcome: 'success' };
    case 'notice':
      return { severity: 'info', title: one };
    default:
      return { blockIds: [one], reason: 'retry' };
  }
}
