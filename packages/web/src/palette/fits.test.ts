import { expect, test } from 'vitest';
import { distance, fits } from './fits.ts';

test.each([
  ['Usage', 'usa', true],
  ['Usage', 'age', false],
  ['Dark theme', 'theme dark', true],
  ['Dark theme', 'dark x', false],
  ['Sign out', '', true],
])('%s for %j: %s', (name, words, isFit) => {
  expect(fits(name, words)).toBe(isFit);
});

test.each([
  ['Search', 'search', 0],
  ['Search', 'sea', 1],
  ['Sign out', 'out', 2],
  ['Search', 'searching', 2],
  ['Search', '', 2],
] as const)('%s is from %j as far as %d', (name, words, far) => {
  expect(distance(name, words)).toBe(far);
});
