import { expect, test } from 'vitest';
import { conversationOf, event, recorded } from '../../test/session-events.ts';
import { findPart, threadsAround } from './part-path.ts';
import { createRows } from './rows.ts';

test('any part of a recorded session can be led to: with the threads around it open, it is a row', () => {
  const conversation = conversationOf(recorded('subagent-nested-three'));
  for (const { id, hidden } of conversation.parts.flat()) {
    const part = findPart(conversation, id);
    if (!part || hidden) continue;
    const open = new Map(threadsAround(conversation, part).map((thread) => [thread, true]));
    expect(createRows()(conversation, open).rows.some(({ key }) => key === id)).toBe(true);
  }
});

test('a part three threads deep has three around it', () => {
  const conversation = conversationOf(recorded('subagent-nested-three'));
  const depths = conversation.parts.flat().map((part) => threadsAround(conversation, part).length);
  expect(Math.max(...depths)).toBe(3);
});

test('threads that started each other end the way', () => {
  const conversation = conversationOf([
    event({ type: 'tool-call-start', toolCallId: 'x', toolName: 'Agent', kind: 'think', subagentId: 'b' }),
    event({ type: 'task-start', taskId: 'a', kind: 'agent', toolCallId: 'x', subagentId: 'b' }),
    event({ type: 'tool-call-start', toolCallId: 'y', toolName: 'Agent', kind: 'think', subagentId: 'a' }),
    event({ type: 'task-start', taskId: 'b', kind: 'agent', toolCallId: 'y', subagentId: 'a' }),
  ]);
  const part = findPart(conversation, 'call:x');
  expect(part && threadsAround(conversation, part)).toEqual(['b', 'a']);
});

test('nobody is led to what is not there', () => {
  expect(findPart(conversationOf([]), 'call:x')).toBeUndefined();
});
