import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Follow, type FollowEvent, follow, followFromStart, isFollowing, newCount } from './follow.ts';

const after = (...events: readonly FollowEvent[]): Follow => events.reduce(follow, followFromStart);
const grew = (count: number): FollowEvent => ({ type: 'grew', count });

test('nothing is new while it follows', () => {
  const state = after(grew(3), grew(9));
  expect([isFollowing(state), newCount(state)]).toEqual([true, 0]);
});

test('whoever scrolls up is told what came, until they are back', () => {
  const up = after(grew(3), { type: 'scrolled', isAtEnd: false }, grew(17));
  expect([isFollowing(up), newCount(up)]).toEqual([false, 14]);
  expect(newCount(follow(up, { type: 'scrolled', isAtEnd: true }))).toBe(0);
});

test('a pause holds at the end too, and the count tells', () => {
  const paused = after(grew(3), { type: 'paused' }, { type: 'scrolled', isAtEnd: true }, grew(5));
  expect([isFollowing(paused), newCount(paused)]).toEqual([false, 2]);
  const resumed = follow(paused, { type: 'resumed' });
  expect([isFollowing(resumed), newCount(resumed)]).toEqual([true, 0]);
});

test('whoever resumes further up is still told what came', () => {
  const state = after(grew(3), { type: 'scrolled', isAtEnd: false }, { type: 'paused' }, grew(5), { type: 'resumed' });
  expect([isFollowing(state), newCount(state)]).toEqual([false, 2]);
});

test('to go to the end ends a pause', () => {
  const state = after(grew(3), { type: 'paused' }, grew(8), { type: 'went-to-end' });
  expect([isFollowing(state), newCount(state)]).toEqual([true, 0]);
});

test('what changes nothing gives the same state', () => {
  const state = after(grew(3));
  expect(follow(state, grew(3))).toBe(state);
  expect(follow(state, { type: 'scrolled', isAtEnd: true })).toBe(state);
});

const anyEvent: fc.Arbitrary<FollowEvent> = fc.oneof(
  fc.boolean().map((isAtEnd): FollowEvent => ({ type: 'scrolled', isAtEnd })),
  fc.nat(50).map(grew),
  fc.constantFrom<FollowEvent>({ type: 'paused' }, { type: 'resumed' }, { type: 'went-to-end' }),
);

test('the count is never more than what is there, and nothing while it follows', () => {
  fc.assert(
    fc.property(fc.array(anyEvent), (events) => {
      const state = after(...events);
      expect(newCount(state)).toBeLessThanOrEqual(state.count);
      if (isFollowing(state)) expect(newCount(state)).toBe(0);
    }),
  );
});
