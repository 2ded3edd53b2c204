import type { useInput } from 'ink';
import { expect, test } from 'vitest';
import { createKeyReader, keysOf, typed } from './keys.ts';

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

test('what is pasted is one key: no line feed in it sends anything, and nothing in it steers', () => {
  const read = createKeyReader();
  expect(read('[200~', key())).toEqual([]);
  expect(read('one\r\ntwo\u0007', key())).toEqual([]);
  expect(read('\r', key({ return: true }))).toEqual([]);
  expect(read('[A', key({ upArrow: true }))).toEqual([]);
  expect(read('[201~', key())).toEqual(['<paste>one\ntwo\n[A']);
  expect(read('a', key())).toEqual(['a']);
  expect(typed('x', '<paste>one\ntwo')).toBe('xone two');
});

test('a paste without an end is over when somebody interrupts it', () => {
  const read = createKeyReader();
  read('[200~', key());
  expect(read('c', key({ ctrl: true }))).toEqual(['<ctrl-c>']);
  expect(read('j', key())).toEqual(['j']);
});

test('the next line is a key of its own', () => {
  expect(keysOf('\r', key({ return: true }))).toEqual(['<enter>']);
  expect(keysOf('\r', key({ return: true, meta: true }))).toEqual(['<newline>']);
  expect(keysOf('\n', key())).toEqual(['<newline>']);
  expect(keysOf('b', key({ meta: true }))).toEqual(['<alt-b>']);
});
