import { expect, test } from 'vitest';
import { fits } from './fits.ts';

test.each([
  ['Usage', 'usa', true],
  ['Usage', 'age', false],
  ['Dark theme', 'theme dark', true],
  ['Dark theme', 'dark x', false],
  ['Sign out', '', true],
])('%s for %j: %s', (name, words, isFit) => {
  expect(fits(name, words)).toBe(isFit);
});
