import { revealHidden } from '@tailrace/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGate } from './gate.ts';
import { showPrinted } from './hidden.ts';

const gate = createGate();

describe('what a program printed', () => {
  test.each([
    '⚠\ufe0f careful',
    '✔\ufe0f done',
    '1\ufe0f\u20e3',
    '👩\u200d👩\u200d👧',
    '🏳\ufe0f\u200d🌈',
    '👩🏽\u200d💻',
  ])('has its emoji as they are: %s', (text) => {
    expect(gate.output(text, 3, 80)).toEqual([text]);
  });

  test.each([
    ['a\ufe0fb', 'a\\u{fe0f}b'],
    ['\ufe0f', '\\u{fe0f}'],
    ['⚠\ufe0f\ufe0f', '⚠\ufe0f\\u{fe0f}'],
    ['⚠\ufe0e', '⚠\\u{fe0e}'],
    ['a\u200db', 'a\\u{200d}b'],
    ['👩\u200d', '👩\\u{200d}'],
    ['👩\u200db', '👩\\u{200d}b'],
    ['⚠\u200b⚠\u202e', '⚠\\u{200b}⚠\\u{202e}'],
  ])('[T-19] has everything else written out that hides: %j', (text, shown) => {
    expect(gate.output(text, 3, 80)).toEqual([shown]);
  });

  test('[T-19] nothing but those two characters stays, and nothing is lost', () => {
    const character = fc.constantFrom('a', '1', '⚠', '👩', '🏽', '\ufe0f', '\u200d', '\u200b', '\u{e0041}', '\ud800');
    fc.assert(
      fc.property(fc.array(character), (characters) => {
        const text = characters.join('');
        expect(revealHidden(showPrinted(text))).toBe(revealHidden(text));
        expect(revealHidden(showPrinted(text).replaceAll(/[\ufe0f\u200d]/g, ''))).toBe(
          showPrinted(text).replaceAll(/[\ufe0f\u200d]/g, ''),
        );
      }),
    );
  });
});

test('[T-19] what is a command, a path, a name or a change has none of it', () => {
  expect(gate.line('⚠\ufe0f', 80)).toBe('⚠\\u{fe0f}');
  expect(gate.lines(['👩\u200d👩'], 80)).toEqual(['👩\\u{200d}👩']);
});
