import type { LiveRun, SessionInfo } from '@tailrace/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testSession } from '../../test/test-client.ts';
import type { TurningPoint } from './turning-points.ts';
import { createUntitled } from './untitled.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const waiting = { runId: 'r', state: 'waiting', isOurs: true } as LiveRun;
const session = (title: string | null, live: LiveRun | null = waiting): SessionInfo =>
  testSession('s', { title, live, startedAt: 1, endedAt: 2 });
const waits = (title: string | null): TurningPoint => ({ kind: 'waits', session: session(title) });

test('with a title it is said at once', () => {
  const say = vi.fn();
  createUntitled(say).tell(waits('Mend'));
  expect(say).toHaveBeenCalledExactlyOnceWith(waits('Mend'));
});

test('without one it is said when it has one, once', () => {
  const say = vi.fn();
  const untitled = createUntitled(say);
  untitled.tell(waits(null));
  untitled.see(session(null));
  expect(say).not.toHaveBeenCalled();
  untitled.see(session('Mend'));
  untitled.see(session('Mend'));
  vi.runAllTimers();
  expect(say).toHaveBeenCalledExactlyOnceWith(waits('Mend'));
});

test('a session that gets another name with its title is told of by both', () => {
  const say = vi.fn();
  const untitled = createUntitled(say);
  untitled.tell(waits(null));
  const named = { ...session('Mend'), id: 'named' };
  untitled.see(named);
  expect(say).toHaveBeenCalledExactlyOnceWith({ kind: 'waits', session: named });
});

test('one that never gets one is told all the same', () => {
  const say = vi.fn();
  createUntitled(say).tell(waits(null));
  vi.runAllTimers();
  expect(say).toHaveBeenCalledExactlyOnceWith(waits(null));
});

test('what was answered meanwhile is not said, nor after the end', () => {
  const say = vi.fn();
  const untitled = createUntitled(say);
  untitled.tell(waits(null));
  untitled.see(session('Mend', { ...waiting, state: 'working' }));
  untitled.tell(waits(null));
  untitled.end();
  vi.runAllTimers();
  expect(say).not.toHaveBeenCalled();
});
