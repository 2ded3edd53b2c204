import { revealHidden } from '@tailrace/core';
import { expect, test } from 'vitest';
import { editableText, readEdited } from './edited-input.ts';

test('an object is an input; anything else says what is wrong with it', () => {
  expect(readEdited('{ "command": "ls" }')).toEqual({ input: { command: 'ls' } });
  for (const text of ['[]', '"ls"', 'null', '3'])
    expect(readEdited(text)).toMatchObject({ fault: expect.stringContaining('object') });
  expect(readEdited('{ "command": ')).toMatchObject({ fault: expect.stringContaining('no JSON') });
});

test('[T-19] what hides in an input is seen when it is edited, and means the same', () => {
  const input = { command: 'echo \u202egnp\u009b2J \u{e0041} 漢', 'na\u200bme': [1] };
  const text = editableText(input);
  expect(text).toContain('\\u202egnp\\u009b2J \\udb40\\udc41 漢');
  expect(revealHidden(text)).toBe(text);
  expect(readEdited(text)).toEqual({ input });
  expect(editableText(undefined)).toBe('{}');
});
