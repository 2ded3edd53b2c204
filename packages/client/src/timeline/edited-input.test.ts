import { expect, test } from 'vitest';
import { readEdited } from './edited-input.ts';

test('an object is an input; anything else says what is wrong with it', () => {
  expect(readEdited('{ "command": "ls" }')).toEqual({ input: { command: 'ls' } });
  for (const text of ['[]', '"ls"', 'null', '3'])
    expect(readEdited(text)).toMatchObject({ fault: expect.stringContaining('object') });
  expect(readEdited('{ "command": ')).toMatchObject({ fault: expect.stringContaining('no JSON') });
});
