import type { SessionInfo, Subscribe } from '@tailrace/protocol';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SESSION_LOOK_MS } from './limits.ts';
import { createSessionList } from './session-list.ts';
import { wantedOf } from './wanted.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a session that changes after a rest is told at once, one that changes all the time only now and then', async () => {
  const list = createSessionList(async (ids) => ids.map((id) => ({ id }) as SessionInfo));
  const frames: string[] = [];
  const subscribe: Subscribe = { type: 'subscribe', subscriptionId: 'one', view: 'sessions' };
  const outlet = {
    isGone: false,
    queuedBytes: 0,
    send: (frame: string) => void frames.push(frame),
    drained: async () => undefined,
    letGo: () => undefined,
  };
  const wanted = wantedOf(subscribe, undefined);
  list.add({ subscriptionId: 'one', subscribe, outlet, wanted, isOver: false }, 'epoch');
  frames.length = 0;

  list.hear(new Set(['a']));
  await vi.advanceTimersByTimeAsync(0);
  expect(frames).toHaveLength(1);
  for (let count = 0; count < SESSION_LOOK_MS - 1; count++) {
    list.hear(new Set(['a']));
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(frames).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(frames).toHaveLength(2);
  list.close();
});
