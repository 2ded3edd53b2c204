import type { AgentStreamEvent, EventOf, EventType } from '@tailrace/core';
import { expect, test } from 'vitest';
import { createOtherRuns, type OtherRuns } from './other-runs.ts';

type Draft = { [T in EventType]: Omit<EventOf<T>, 'seq'> }[EventType];

async function hearing(...events: readonly Draft[]): Promise<OtherRuns> {
  // Only the number is added.
  const numbered = events.map((event, seq) => ({ ...event, seq }) as AgentStreamEvent);
  const runs = createOtherRuns(async function* () {
    yield numbered;
  });
  for (const event of numbered) await runs.hear({ kind: 'line', place: event.seq, sessionId: 's', events: [event] });
  return runs;
}

const start: Draft = { type: 'run-start', runId: 'r', agent: 'claude', cwd: '/', at: 1 };
const state = (now: EventOf<'run-state'>['state'], at: number): Draft => ({ type: 'run-state', state: now, at });

test('a run that was heard of has its state, how far it is and who is at work in it', async () => {
  const runs = await hearing(
    start,
    state('working', 2),
    { type: 'turn-start', turnId: 't' },
    {
      type: 'todo-update',
      entries: [
        { content: 'Dig', status: 'completed' },
        { content: 'Fill', status: 'pending' },
      ],
    },
    { type: 'task-start', taskId: 'a', kind: 'agent' },
  );
  expect(runs.of('s')).toEqual({
    runId: 'r',
    state: 'working',
    since: 2,
    isOurs: false,
    waiting: 0,
    progress: { phase: 'a sub-agent is at work', percentage: 50, basis: 'measured', done: 1, total: 2 },
    subagents: 1,
  });
  expect(runs.of('other')).toBeUndefined();
});

test('one that waits waits once, in its own terminal', async () => {
  expect((await hearing(start, state('waiting', 2))).of('s')?.waiting).toBe(1);
  expect((await hearing(start, state('waiting', 2), state('working', 3))).of('s')?.waiting).toBe(0);
});

test('a run that is over, or whose beginning nobody heard, is none', async () => {
  expect((await hearing(start, state('ended', 2))).of('s')).toBeUndefined();
  expect((await hearing(state('working', 2))).of('s')).toBeUndefined();
  const runs = await hearing(start);
  await runs.hear({ kind: 'ended', place: 1.5, sessionId: 's', events: [] });
  expect(runs.of('s')).toBeUndefined();
});

test('a run goes on when its session gets another id, and when its events are told anew', async () => {
  const runs = await hearing(start, state('working', 2));
  await runs.hear({ kind: 'gone', place: 2.5, sessionId: 's', movedTo: 'own' });
  expect(runs.of('s')).toBeUndefined();
  expect(runs.of('own')).toMatchObject({ runId: 'r', state: 'working', since: 2 });
  await runs.hear({ kind: 'retold', place: 2.6, sessionId: 'own' });
  expect(runs.of('own')).toMatchObject({ runId: 'r', state: 'working', since: 2 });
  await runs.hear({ kind: 'gone', place: 2.7, sessionId: 'own', movedTo: null });
  expect(runs.of('own')).toBeUndefined();
});
