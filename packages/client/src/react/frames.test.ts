// Frames of a screen, and of none.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HIDDEN_FRAME_MS } from '../limits.ts';
import { createFrames } from './frames.ts';

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A screen with so many frames a second. */
function screen(hertz: number): void {
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 1000 / hertz));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
}

/** How often something is done that is asked for ten thousand times within a second. */
function timesInASecond(): number {
  const frames = createFrames();
  let times = 0;
  const work = (): void => void times++;
  for (let index = 0; index < 10_000; index++) {
    frames.request(work);
    vi.advanceTimersByTime(0.1);
  }
  vi.advanceTimersByTime(1000);
  return times;
}

test.each([30, 60, 120, 144, 240, 1000])('a screen with %s frames a second shows at most 120 of them', (hertz) => {
  screen(hertz);
  const times = timesInASecond();
  expect(times).toBeLessThanOrEqual(120);
  expect(times).toBeGreaterThanOrEqual(Math.min(hertz, 40) - 2);
});

test('without a screen it is the same', () => {
  const times = timesInASecond();
  expect(times).toBeLessThanOrEqual(120);
  expect(times).toBeGreaterThan(40);
});

test('a page that nobody sees has no frames, and changes do not pile up', () => {
  vi.stubGlobal('requestAnimationFrame', () => 1);
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  const frames = createFrames();
  let times = 0;
  frames.request(() => times++);
  vi.advanceTimersByTime(HIDDEN_FRAME_MS - 1);
  expect(times).toBe(0);
  vi.advanceTimersByTime(1);
  expect(times).toBe(1);
});

test('what is asked for in a frame is done in the next one', () => {
  screen(60);
  const frames = createFrames();
  const done: string[] = [];
  frames.request(() => {
    done.push('first');
    frames.request(() => done.push('second'));
  });
  vi.advanceTimersByTime(17);
  expect(done).toEqual(['first']);
  vi.advanceTimersByTime(17);
  expect(done).toEqual(['first', 'second']);
});
