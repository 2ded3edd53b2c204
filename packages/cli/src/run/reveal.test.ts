import { expect, test } from 'vitest';
import { revealLine, showInput } from './reveal.ts';

test('[T-19] whatever hides in an input is written out, in names and in values', () => {
  const input = { 'com\u200bmand': 'rm \u202e-rf\u{e0041}\r', list: ['a\u2066b'] };
  expect(showInput(input)).toEqual([
    'com\\u{200b}mand: rm \\u{202e}-rf\\u{e0041}\\u{d}',
    'list:',
    '  [',
    '    "a\\u{2066}b"',
    '  ]',
  ]);
});

test('a name stays on its line', () => {
  expect(revealLine('a\nb\tc\u001b[2J')).toBe('a\\nb\tc\\u{1b}[2J');
});

test('[T-20] empty lines are counted, and what follows them is shown', () => {
  expect(showInput({ command: `ls${'\n'.repeat(500)}rm -rf /` })).toEqual([
    'command:',
    '  ls',
    '  (499 empty lines)',
    '  rm -rf /',
  ]);
});
