import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { graphemesOf, widthOf } from './width.ts';

const all = Array.from({ length: 0xffff - 0x20 }, (_, at) => String.fromCharCode(at + 0x20)).filter(
  (text) => !/[\ud800-\udfff]/.test(text),
);
/** Characters of which the width is known without the table, and some of which it is not. */
const characters = fc.oneof(
  fc.integer({ min: 0x20, max: 0x52f }),
  fc.integer({ min: 0x2010, max: 0x27bf }),
  fc.integer({ min: 0x3000, max: 0x30ff }),
  fc.integer({ min: 0x4e00, max: 0x4eff }),
  fc.integer({ min: 0xac00, max: 0xacff }),
  fc.integer({ min: 0x1100, max: 0x11ff }),
  fc.integer({ min: 0xff00, max: 0xffef }),
  fc.constantFrom(0x200d, 0xfe0f, 0x20e3, 0x301, 0x3099, 0x2705, 0x274c, 0x1f469, 0x1f3fd, 0x1f1e8),
);
const texts = fc.array(characters, { maxLength: 8 }).map((codes) => String.fromCodePoint(...codes));

test('each character is as wide as the table says', () => {
  expect(all.filter((text) => widthOf(text) !== stringWidth(text))).toEqual([]);
});

test('a text is as wide as the table says, whatever stands beside what', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(widthOf(text)).toBe(stringWidth(text));
    }),
    { numRuns: 3 * counts.runs },
  );
});

test('a text falls into the characters that a reader sees', () => {
  const segmenter = new Intl.Segmenter();
  fc.assert(
    fc.property(texts, (text) => {
      expect([...graphemesOf(text)].map((one) => one.text)).toEqual(
        [...segmenter.segment(text)].map(({ segment }) => segment),
      );
    }),
    { numRuns: counts.runs },
  );
});
