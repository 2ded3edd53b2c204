import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Draft, draftOf, EMPTY, edited } from './draft.ts';

function after(keys: readonly string[], from: Draft = EMPTY): Draft {
  return keys.reduce((draft, key) => edited(draft, key) ?? draft, from);
}

test('a text is written, gone through and mended', () => {
  expect(after([...'helo', '<left>', 'l', '<end>', '!'])).toEqual({ text: 'hello!', at: 6 });
  expect(after([...'ab', '<newline>', ...'cd', '<home>', 'x'])).toEqual({ text: 'ab\nxcd', at: 4 });
  expect(after(['<ctrl-w>'], draftOf('one two '))).toEqual({ text: 'one ', at: 4 });
  expect(after(['<ctrl-u>'], draftOf('one\ntwo'))).toEqual({ text: 'one\n', at: 4 });
  expect(after(['<home>', '<ctrl-k>', '<ctrl-k>'], draftOf('one\ntwo'))).toEqual({ text: 'one\n', at: 4 });
  expect(after(['<alt-b>', '<alt-b>', '<ctrl-d>'], draftOf('one two'))).toEqual({ text: 'ne two', at: 0 });
  expect(after(['<alt-f>', '<alt-f>'], { text: 'one two', at: 0 })).toEqual({ text: 'one two', at: 7 });
});

test('what is pasted goes in whole, line feeds and all', () => {
  expect(after([...'a', '<paste>one\ntwo', 'b'])).toEqual({ text: 'aone\ntwob', at: 9 });
  expect(after(['<paste><enter>'])).toEqual({ text: '<enter>', at: 7 });
});

test('what people see as one character goes at once', () => {
  for (const sign of ['é', '👩🏽‍💻', '漢', '🇩🇪']) {
    expect(after(['<backspace>'], draftOf(`a${sign}`))).toEqual({ text: 'a', at: 1 });
    expect(after(['<left>', '<ctrl-d>'], draftOf(`a${sign}`))).toEqual({ text: 'a', at: 1 });
  }
});

test('a key that is none of a text changes nothing', () => {
  for (const key of ['<page-up>', '<enter>', '<escape>', '<ctrl-x>', '<alt-x>', ''])
    expect(edited(EMPTY, key)).toBeUndefined();
});

const anyKey = fc.oneof(
  fc.constantFrom(
    '<left>',
    '<right>',
    '<home>',
    '<end>',
    '<backspace>',
    '<ctrl-d>',
    '<ctrl-w>',
    '<ctrl-u>',
    '<ctrl-k>',
    '<newline>',
    '<alt-b>',
    '<alt-f>',
  ),
  fc.constantFrom(...'a é漢', '🌍', '<'),
  fc.string().map((text) => `<paste>${text}`),
);

test('whatever is pressed, the place is within the text', () => {
  fc.assert(
    fc.property(fc.array(anyKey, { maxLength: 60 }), (keys) => {
      const { text, at } = after(keys);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(at).toBeLessThanOrEqual(text.length);
    }),
  );
});
