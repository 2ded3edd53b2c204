import { expect, test } from 'vitest';
import { sessionName } from './session-name.ts';

test('sessions without a title are told apart, also where their ids begin alike', () => {
  expect(sessionName('a', 'Fix the test')).toBe('Fix the test');
  expect(sessionName('ses_01a1de07aaaabbbb', null)).toBe('Session aaaabbbb');
  expect(sessionName('ses_01a1de07aaaacccc', undefined)).toBe('Session aaaacccc');
});
