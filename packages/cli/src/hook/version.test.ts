import { expect, test } from 'vitest';
import { isOlder } from './version.ts';

test.each([
  ['2.1.324', true],
  ['2.0.999', true],
  ['1.9.9', true],
  ['2.1.325', false],
  ['2.1.1000', false],
  ['2.2.0', false],
  ['10.0.0', false],
])('%s is older than 2.1.325: %s', (version, expected) => {
  expect(isOlder(version, '2.1.325')).toBe(expected);
});
