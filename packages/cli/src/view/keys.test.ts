import type { useInput } from 'ink';
import { expect, test } from 'vitest';
import { keysOf, typed } from './keys.ts';

type InkKey = Parameters<Parameters<typeof useInput>[0]>[1];
// A key is what it says; all others are off.
const key = (more: Partial<InkKey> = {}): InkKey => more as InkKey;

test('keys that come at once are told one by one', () => {
  expect(keysOf('/ab\r', key())).toEqual(['/', 'a', 'b', '<enter>']);
  expect(keysOf('日本', key())).toEqual(['日', '本']);
  expect(keysOf('', key({ pageDown: true }))).toEqual(['<page-down>']);
  expect(keysOf('c', key({ ctrl: true }))).toEqual(['<ctrl-c>']);
  expect(keysOf('\u0001x\u0002', key())).toEqual(['x']);
});

test('a line is typed, taken back and emptied', () => {
  expect(typed('a', 'b')).toBe('ab');
  expect(typed('a<', '<')).toBe('a<<');
  expect(typed('日本', '<backspace>')).toBe('日');
  expect(typed('one two', '<ctrl-w>')).toBe('one');
  expect(typed('one', '<ctrl-u>')).toBe('');
  expect(typed('one', '<page-down>')).toBeUndefined();
});
