import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hiddenIn, revealHidden } from './hidden.ts';

/** From where to where, written out: what Unicode calls controls, marks of direction, ignorable, fillers, tags and halves. */
const FAMILIES: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xe0000, 0xe0fff],
];

test.each(FAMILIES)('[T-19] every character from %i to %i is found and written out', (from, to) => {
  for (let code = from; code <= to; code++) {
    const character = String.fromCodePoint(code);
    expect(hiddenIn(`a${character}b`), code.toString(16)).toEqual([
      { text: 'a', isHidden: false },
      { text: character, isHidden: true },
      { text: 'b', isHidden: false },
    ]);
    expect(revealHidden(`a${character}b`)).toBe(`a\\u{${code.toString(16)}}b`);
  }
});

test('line feeds, tabs, and what can be seen are left as they are', () => {
  const seen = '\n\t !~aé漢字🌍ąא﷽';
  expect(hiddenIn(seen)).toEqual([{ text: seen, isHidden: false }]);
  expect(revealHidden(seen)).toBe(seen);
});

test('the pieces together are the text, and each hidden one is a single character', () => {
  const text = fc.array(fc.oneof(fc.string(), fc.constantFrom('\u202e', '\u200b', '\u{e0041}', '\ud800', '\r', '\n')));
  fc.assert(
    fc.property(text, (parts) => {
      const whole = parts.join('');
      const pieces = hiddenIn(whole);
      expect(pieces.map((piece) => piece.text).join('')).toBe(whole);
      for (const { text: piece, isHidden } of pieces) if (isHidden) expect([...piece]).toHaveLength(1);
    }),
  );
});
