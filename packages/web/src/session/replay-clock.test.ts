import { view } from '@tailrace/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyEvents, conversationOf, event, messagesOf, recorded } from '../../../client/test/session-events.ts';
import {
  countAt,
  createTrack,
  pause,
  play,
  positionAt,
  type ReplayClock,
  SPEEDS,
  type Speed,
  seek,
  setSpeed,
  stoppedClock,
} from './replay-clock.ts';
import { createReplayFold } from './replay-fold.ts';

type Step = { readonly wait: number } & (
  | { readonly type: 'play' | 'pause' }
  | { readonly type: 'seek'; readonly share: number }
  | { readonly type: 'speed'; readonly speed: Speed }
);

const wait = fc.integer({ min: 0, max: 3000 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ wait, type: fc.constantFrom('play' as const, 'pause' as const) }),
  fc.record({ wait, type: fc.constant('seek' as const), share: fc.double({ min: -0.2, max: 1.2, noNaN: true }) }),
  fc.record({ wait, type: fc.constant('speed' as const), speed: fc.constantFrom(...SPEEDS) }),
);

describe('any sequence of play, seek and speed', () => {
  test('shows the fold of exactly the events that are due', () => {
    fc.assert(
      fc.property(anyEvents, fc.array(anyStep, { maxLength: 12 }), (events, steps) => {
        const track = createTrack(events);
        const fold = createReplayFold(messagesOf(events));
        let clock: ReplayClock = stoppedClock;
        let now = 0;
        for (const step of steps) {
          now += step.wait;
          clock = apply(clock, step);
          now += 10;
          const position = positionAt(clock, track, now);
          const due = events.filter((_, index) => (track.times[index] ?? 0) <= position);
          expect(countAt(track, position)).toBe(due.length);
          expect(view(fold(countAt(track, position)))).toEqual(view(conversationOf(due)));
        }

        function apply(before: ReplayClock, step: Step): ReplayClock {
          switch (step.type) {
            case 'play':
              return play(before, track, now);
            case 'pause':
              return pause(before, track, now);
            case 'seek':
              return seek(before, track, step.share * track.lengthMs, now);
            case 'speed':
              return setSpeed(before, track, step.speed, now);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('also in a long session, far beyond the copies that are kept', () => {
    const events = Array.from({ length: 9000 }, (_, at) =>
      event({ type: 'text-end', messageId: `m${at}`, blockId: `b${at}`, text: `${at}`, at: at * 10 }),
    );
    const fold = createReplayFold(messagesOf(events));
    for (const count of [8999, 4001, 4000, 3999, 0, 6000, 1, 9000, 2000]) expect(fold(count).partCount).toBe(count);
  });
});

describe('the track', () => {
  test('gaps of more than two seconds are shortened', () => {
    const { times, lengthMs } = createTrack([0, 500, 60_500, 60_600].map((at) => event({ type: 'notice', at })));
    expect(times).toEqual([0, 500, 2500, 2600]);
    expect(lengthMs).toBe(2600);
  });

  test('times never go back, whatever clocks say', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { times } = createTrack(events);
        expect(times).toHaveLength(events.length);
        expect(times.every((due, index) => due >= (times[index - 1] ?? 0))).toBe(true);
      }),
    );
  });

  test('events without any time come one after the other', () => {
    const { times } = createTrack([event({ type: 'notice' }), event({ type: 'notice' })]);
    expect(times[1]).toBeGreaterThan(0);
  });

  test('lines that were read all at once are told in the time of the agent', () => {
    const { times } = createTrack([0, 900, 1800].map((time) => event({ type: 'notice', time: 5000 + time, at: 7 })));
    expect(times).toEqual([0, 900, 1800]);
  });

  test('a recorded session has a length', () => {
    expect(createTrack(recorded('demo')).lengthMs).toBeGreaterThan(100);
  });
});

describe('the clock', () => {
  const track = createTrack([0, 1000, 2000].map((at) => event({ type: 'notice', at })));

  test('goes on by its speed, and no further than the end', () => {
    const clock = setSpeed(play(stoppedClock, track, 100), track, 5, 300);
    expect(positionAt(clock, track, 400)).toBe(200 + 500);
    expect(positionAt(clock, track, 9999)).toBe(2000);
  });

  test('does not move while it is paused', () => {
    const clock = pause(play(stoppedClock, track, 0), track, 700);
    expect(positionAt(clock, track, 5000)).toBe(700);
  });

  test('begins anew when it is played at its end', () => {
    const ended = seek(stoppedClock, track, 2000, 0);
    expect(positionAt(play(ended, track, 0), track, 0)).toBe(0);
  });
});
