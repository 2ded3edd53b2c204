import { expect, test } from 'vitest';
import { stateSentence } from '../about/state-sentence.ts';
import { readDays } from './read-days.ts';

test('days are whole, and of this century', () => {
  expect(['1', ' 30 ', '36500'].map(readDays)).toEqual([1, 30, 36_500]);
  for (const text of ['', '0', '-1', '1.5', '1e3', '36501', '999999', 'soon']) expect(readDays(text)).toBeUndefined();
});

test('every state of the store is a sentence', () => {
  for (const status of ['full', 'busy', 'corrupt', 'read-only', 'io', 'internal'] as const)
    expect(stateSentence({ status })).toMatch(/^[A-Z].*[.)]$/);
});
