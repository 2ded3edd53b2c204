// What the person leaves in their editor becomes an input, or a word about why it is none.

import { expect, test, vi } from 'vitest';
import { editInput } from './edit.ts';

/** An editor that writes this and ends. */
function editorOf(text: string): void {
  vi.stubEnv('TEXT', text);
  // Words are cut at blanks: there is none in this one.
  vi.stubEnv('VISUAL', `${process.execPath} -e require('node:fs').writeFileSync(process.argv[1],process.env.TEXT)`);
}

test('an object is an input', async () => {
  editorOf('{ "command": "pwd" }');
  expect(await editInput({ command: 'ls' })).toEqual({ input: { command: 'pwd' } });
});

test.each(['["ls"]', '"ls"', 'null', '3', '{'])('%s is none, and that is said', async (text) => {
  editorOf(text);
  expect(await editInput({ command: 'ls' })).toEqual({ fault: expect.stringMatching(/^that is no input: /) });
});
