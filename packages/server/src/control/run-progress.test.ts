import type { AgentStreamEvent, EventOf, EventType, TodoEntry } from '@tailrace/core';
import { expect, test } from 'vitest';
import { createRunProgress, type RunProgressFold } from './run-progress.ts';

type Draft = { [T in EventType]: Omit<EventOf<T>, 'seq'> }[EventType];

function foldOf(...events: readonly Draft[]): RunProgressFold {
  const fold = createRunProgress();
  // Only the number is added.
  for (const [seq, event] of events.entries()) fold.add({ ...event, seq } as AgentStreamEvent);
  return fold;
}

const turn = (turnId: string): Draft => ({ type: 'turn-start', turnId });
const todos = (...statuses: readonly TodoEntry['status'][]): Draft => ({
  type: 'todo-update',
  entries: statuses.map((status, index) => ({ content: `${index} ${'😀'.repeat(200)}`, status })),
});
const task = (taskId: string, kind: EventOf<'task-start'>['kind'] = 'agent'): Draft => ({
  type: 'task-start',
  taskId,
  kind,
});

test('a run of which nothing was heard is starting', () => {
  expect(foldOf().progress()).toEqual({ phase: 'starting', percentage: 0, basis: 'estimated' });
});

test('what the list of the turn tells is counted and measured, and the entry in progress is told in short', () => {
  const { activity, ...progress } = foldOf(
    turn('t'),
    todos('completed', 'cancelled', 'in_progress', 'pending'),
  ).progress();
  expect(progress).toEqual({ phase: 'starting', percentage: 50, basis: 'measured', done: 2, total: 4 });
  expect(activity).toBe(`2 ${'😀'.repeat(99)}`);
});

test('a list of a turn before, of a sub-agent, or an empty one counts nothing', () => {
  const first = [turn('t'), todos('completed', 'pending')] as const;
  expect(foldOf(...first, turn('u')).progress()).not.toHaveProperty('total');
  expect(foldOf(...first, todos()).progress()).not.toHaveProperty('total');
  const other = { ...todos('pending'), subagentId: 'a' } as Draft;
  expect(foldOf(...first, other).progress()).toMatchObject({ done: 1, total: 2 });
});

test('sub-agents are counted while they are at work', () => {
  expect(foldOf(task('a'), task('b'), task('c', 'command')).subagents).toBe(2);
  expect(foldOf(task('a'), task('b'), { type: 'task-end', taskId: 'a', outcome: 'success' }).subagents).toBe(1);
  expect(foldOf(task('a'), { type: 'session-end', outcome: 'success' }).subagents).toBe(0);
});
