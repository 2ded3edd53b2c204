import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyReader, keysOf, typed } from './keys.ts';

test('keys that come at once are told one by one', () => {
  expect(keysOf('/ab\r')).toEqual(['/', 'a', 'b', '<enter>']);
  expect(keysOf('日本')).toEqual(['日', '本']);
  expect(keysOf('\u0003')).toEqual(['<ctrl-c>']);
  expect(keysOf('x\u0003')).toEqual(['x', '<ctrl-c>']);
  expect(keysOf('\u0000x\u009b\u001f')).toEqual(['x']);
});

test.each([
  ['\u001b', '<escape>'],
  ['\u001b\u001b', '<escape>'],
  ['\u001b[6~', '<page-down>'],
  ['\u001bOA', '<up>'],
  ['\u001b[A', '<up>'],
  ['\u001b[Z', '<shift-tab>'],
  ['\u001b[3~', '<delete>'],
  ['\u001b[1;5D', '<alt-b>'],
  ['\u001bf', '<alt-f>'],
  ['\u001b\r', '<newline>'],
  ['\u001b[13;2u', '<newline>'],
  ['\n', '<newline>'],
  ['\u007f', '<backspace>'],
])('%j is the key %s', (input, name) => {
  expect(keysOf(input)).toEqual([name]);
});

test('a sequence that nobody knows is no key, and none makes the reader fall', () => {
  expect(keysOf('\u001b[27;5;9~')).toEqual([]);
  expect(keysOf('\u001b[1;5X')).toEqual([]);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (inputs) => {
      const read = createKeyReader();
      for (const input of ['\u001b[', ...inputs].map((one, at) => (at % 2 ? `\u001b${one}` : one)))
        for (const name of read(input)) expect(name).not.toBe('');
    }),
  );
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
  expect(read('\u001b[200~')).toEqual([]);
  expect(read('one\r\ntwo\u0007')).toEqual([]);
  expect(read('\r')).toEqual([]);
  expect(read('\u001b[A')).toEqual([]);
  expect(read('\u001b[201~')).toEqual(['<paste>one\ntwo\n']);
  expect(read('a')).toEqual(['a']);
  expect(typed('x', '<paste>one\ntwo')).toBe('xone two');
});

test('a paste without an end is over when somebody interrupts it', () => {
  const read = createKeyReader();
  read('\u001b[200~');
  expect(read('\u0003')).toEqual(['<ctrl-c>']);
  expect(read('j')).toEqual(['j']);
});
