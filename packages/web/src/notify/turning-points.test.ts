import type { LiveRun, SessionInfo } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { testSession } from '../../test/test-client.ts';
import { createTurningPoints, wordsOf } from './turning-points.ts';

const BORN = 1_000;

function session(state: LiveRun['state'] | null, more: Partial<SessionInfo> = {}, isOurs = true): SessionInfo {
  // No more of a run is looked at.
  const live = state === null ? null : ({ state, isOurs } as LiveRun);
  return testSession('s', { live, startedAt: 1, title: 'Mend', ...more });
}

function kinds(...states: readonly (LiveRun['state'] | null)[]): readonly (string | undefined)[] {
  const points = createTurningPoints(BORN);
  return states.map((state) => points.see(session(state))?.kind);
}

test('what waits, what is done and what has ended are told, each once', () => {
  expect(kinds('starting', 'working', 'waiting', 'waiting', 'working', 'ended', null)).toEqual([
    undefined,
    undefined,
    'waits',
    undefined,
    undefined,
    'ended',
    undefined,
  ]);
  expect(kinds('working', 'idle', 'idle', 'working', 'idle', null)).toEqual([
    undefined,
    'done',
    undefined,
    undefined,
    'done',
    undefined,
  ]);
});

test('what was over before has nothing to be told of, unless it began and ended since', () => {
  expect(kinds(null, null)).toEqual([undefined, undefined]);
  expect(createTurningPoints(BORN).see(session(null, { startedAt: BORN + 1 }))?.kind).toBe('ended');
  expect(createTurningPoints(BORN).see(session(null, { startedAt: null }))).toBeUndefined();
});

test('what is known to wait is not told again, and the end of what is known to run is', () => {
  const points = createTurningPoints(BORN);
  points.learn(session('waiting'));
  expect(points.see(session('waiting'))).toBeUndefined();
  expect(points.see(session(null))?.kind).toBe('ended');
  // What was heard is newer than what is learnt.
  points.learn(session('working'));
  expect(points.see(session(null))).toBeUndefined();
});

test('what the list tells is said where it has come since', () => {
  const points = createTurningPoints(BORN);
  const waits = session('waiting', { startedAt: 1 });
  const lately = { ...waits, live: { ...waits.live, since: BORN + 1 } as LiveRun };
  expect(points.learn(lately)?.kind).toBe('waits');
  expect(points.see(lately)).toBeUndefined();
  expect(points.learn(lately)).toBeUndefined();
});

test('what waited before is not told because something else about it changes', () => {
  const points = createTurningPoints(BORN);
  const waits = session('waiting');
  const before = { ...waits, live: { ...waits.live, since: BORN } as LiveRun };
  expect(points.see(before)).toBeUndefined();
  expect(points.see({ ...before, live: null })?.kind).toBe('ended');
});

test('a session that gets another name while it waits is told of once', () => {
  const points = createTurningPoints(BORN);
  const waits = session('waiting');
  const first = { ...waits, live: { ...waits.live, runId: 'r' } as LiveRun };
  expect(points.see(first)?.kind).toBe('waits');
  expect(points.see({ ...first, id: 'named' })).toBeUndefined();
  expect(points.see({ ...first, id: 'named', live: null })?.kind).toBe('ended');
});

test('what waits in another terminal does not wait here', () => {
  expect(createTurningPoints(BORN).see(session('waiting', {}, false))).toBeUndefined();
});

test('it is said in words', () => {
  const say = (kind: 'waits' | 'done' | 'ended', status: string): string =>
    wordsOf({ kind, session: session(null, { status }) }).text;
  expect(wordsOf({ kind: 'waits', session: session('waiting') }).title).toBe('mill: Mend');
  expect(wordsOf({ kind: 'waits', session: session('waiting', { title: null, project: null }) }).title).toBe(
    'Session s',
  );
  expect(say('waits', 'running')).toBe('It waits for your answer.');
  expect(say('done', 'success')).toBe('It is done.');
  expect([
    say('ended', 'success'),
    say('ended', 'error'),
    say('ended', 'cancelled'),
    say('ended', 'incomplete'),
  ]).toEqual(['It ended well.', 'It failed.', 'It was stopped.', 'It has ended.']);
});
