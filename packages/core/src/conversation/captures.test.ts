import { describe, expect, test } from 'vitest';
import { captures, decodeAll, summarize } from '../../test/captures.ts';
import { freeze, partsIn } from '../../test/conversations.ts';
import type { AgentStreamEvent, Outcome } from '../event/event.ts';
import { isCall } from './calls.ts';
import { contentsOf, messagesOf } from './chat.ts';
import { type Call, type Conversation, createConversation } from './conversation.ts';
import { compareOrders } from './list.ts';
import { reduce } from './reduce.ts';
import { filesChanged, openRequests, partsOf, view } from './select.ts';
import { subagentsOf } from './subagents.ts';

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  completed: 'success',
  failed: 'error',
  denied: 'denied',
  cancelled: 'cancelled',
  unknown: 'unknown',
};

/** Reduces with everything frozen, so that a change in place would throw. */
function reduceFrozen(events: readonly AgentStreamEvent[]): Conversation {
  return events.reduce((conversation, event) => freeze(reduce(conversation, freeze(event))), createConversation());
}

describe.each(captures.map(({ name, bytes }) => ({ name, events: decodeAll([bytes]) })))('$name', ({ events }) => {
  const conversation = reduceFrozen(events);
  const summary = summarize(events);
  const calls = partsIn(conversation).filter(isCall);
  const textsOf = (thread: string | undefined): readonly string[] =>
    partsOf(conversation, thread, { all: true }).flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const threads = new Set(events.map(({ subagentId }) => subagentId));

  test('[M-04] every call has the outcome that the summary tells', () => {
    const found = calls.map(({ toolCallId, name, status }) => [toolCallId, name, OUTCOMES[status]]);
    const told = summary.toolCalls.map(({ id, name, outcome }) => [id, name, outcome]);
    expect(found.sort()).toEqual(told.sort());
  });

  test('[M-10] nothing is left running, and nobody is asked', () => {
    expect(calls.filter(({ status, task }) => !(status in OUTCOMES) || task?.status === 'running')).toEqual([]);
    expect(openRequests(conversation)).toEqual([]);
    expect(partsIn(conversation).filter((part) => 'streaming' in part)).toEqual([]);
    expect(conversation.state).toBe('ended');
  });

  test('every text is there, once, in its thread and in its order', () => {
    for (const thread of threads) {
      const ends = events.filter((event) => event.type === 'text-end' && event.subagentId === thread);
      expect(textsOf(thread)).toEqual(ends.map((event) => event.type === 'text-end' && event.text));
    }
  });

  test('the last text is the one that the summary tells', () => {
    const texts = partsOf(conversation).flatMap((part) => {
      if (part.type === 'text') return part.partial ? [null] : [part.text];
      return part.type === 'turn' && part.text !== undefined ? [part.text] : [];
    });
    // A result in place of a text is told by the turn; one that has structure is no text.
    const told = summary.text === null && conversation.outcome === 'error' ? [] : [summary.text ?? texts.at(-1)];
    expect(texts.slice(texts.length - told.length)).toEqual(told.filter((one) => one !== undefined));
  });

  test('the figures, the files and the todos are the summary’s', () => {
    const { state: _, ...usage } = summary.usage;
    expect(conversation.usage ?? {}).toEqual(usage);
    expect(conversation.cost?.amount ?? null).toBe(summary.costUsd);
    expect(conversation.turns).toBe(summary.turns);
    const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
    expect(
      filesChanged(conversation)
        .map(({ path, operation }) => ({ path, operation }))
        .sort(byPath),
    ).toEqual([...summary.filesChanged].sort(byPath));
    expect(conversation.todos).toEqual(summary.todos);
    expect(conversation.error).toEqual(summary.error);
  });

  test('[M-05] each sub-agent has its own calls and stands where it was started', () => {
    const found: string[] = [];
    const walk = (nodes: ReturnType<typeof subagentsOf>, parentId: string | null): void => {
      for (const { task, part, calls: own, children } of nodes) {
        const ids = own.map(({ toolCallId }) => toolCallId).sort();
        found.push(`${task.taskId} of ${'toolCallId' in part ? part.toolCallId : null} in ${parentId}: ${ids}`);
        walk(children, (part as Call).toolCallId ?? null);
      }
    };
    walk(subagentsOf(conversation), null);
    const told = summary.subagents.map(({ id, toolCallId, parentId }) => {
      const own = summary.toolCalls.filter((call) => call.subagentId === id).map((call) => call.id);
      return `${id} of ${toolCallId} in ${parentId}: ${own.sort()}`;
    });
    expect(found.sort()).toEqual(told.sort());
  });

  test('parts are sorted, and their ids are unique', () => {
    const parts = partsIn(conversation);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(parts.length);
    expect([...parts].sort((a, b) => compareOrders(a.order, b.order))).toEqual(parts);
    expect(parts).toHaveLength(conversation.partCount);
  });

  test('[M-03] every part that is shown belongs to one message and holds something', () => {
    for (const thread of threads) {
      const messages = messagesOf(conversation, thread);
      expect(messages.flatMap(({ parts }) => parts)).toEqual(partsOf(conversation, thread));
      expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
    }
    const silent = partsIn(conversation).filter((part) => contentsOf(part).length === 0);
    expect(silent.every((part) => part.type === 'text' && part.text.trim() === '')).toBe(true);
  });

  test('a copy in the middle changes nothing', () => {
    const half = events.slice(0, events.length >> 1).reduce(reduce, createConversation());
    const rest = events.slice(events.length >> 1);
    expect(rest.reduce(reduce, structuredClone(half))).toEqual(conversation);
    expect(view(rest.reduce(reduce, JSON.parse(JSON.stringify(half))))).toEqual(view(conversation));
  });
});
