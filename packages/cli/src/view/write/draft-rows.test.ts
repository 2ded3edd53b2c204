import fc from 'fast-check';
import { expect, test } from 'vitest';
import { widthOf, widthOfLine } from '../text/line.ts';
import { draftOf } from './draft.ts';
import { draftLines, movedByRow, rowAt, rowsOf } from './draft-rows.ts';

const shown = (text: string, width: number): readonly string[] =>
  rowsOf(text, width).map(({ from, to }) => text.slice(from, to));

test('long lines are broken between words, and words that are too long where the row ends', () => {
  expect(shown('one two three', 8)).toEqual(['one two ', 'three']);
  expect(shown('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  expect(shown('a\n\nb', 9)).toEqual(['a', '', 'b']);
  expect(shown('漢字漢字', 5)).toEqual(['漢字', '漢字']);
});

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(' ', '\n', 'word', '漢字', '🌍', '👩🏽‍💻', '\t', '\u202e', '\u0007'),
      fc.string({ unit: 'grapheme' }),
    ),
  )
  .map((parts) => parts.join(''));

test('rows are the whole text in order, and only room stands over their edge', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 12, max: 60 }), (text, width) => {
      let end = 0;
      for (const { from, to } of rowsOf(text, width)) {
        expect(text.slice(end, from)).toBe(from === end ? '' : '\n');
        // Nothing hides in these: a text with marks is as wide as they are.
        const row = text.slice(from, to).trimEnd();
        if (/^[\p{L} \p{Emoji}]*$/u.test(row)) expect(widthOf(row)).toBeLessThanOrEqual(width);
        end = to;
      }
      expect(end).toBe(text.length);
    }),
  );
});

test('the cursor is on the screen wherever it is, and no row is wider than the box', () => {
  fc.assert(
    fc.property(
      anyText,
      fc.nat(),
      fc.integer({ min: 12, max: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (text, nat, width, most) => {
        const [{ index: at } = { index: 0 }] = [...new Intl.Segmenter().segment(text)].slice(nat % (text.length + 1));
        const lines = draftLines({ text, at }, width, most);
        expect(lines.length).toBeLessThanOrEqual(most);
        expect(lines.flat().filter(({ isTurned }) => isTurned)).toHaveLength(1);
        for (const line of lines) {
          const words = line.map((one) => one.text).join('');
          // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may reach a terminal
          expect(words).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
          if (/^[\p{L} \p{Emoji}]*$/u.test(words)) expect(widthOfLine(line)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
});

test('up and down go from row to row, and to the ends', () => {
  const text = 'one two three';
  const down = movedByRow({ text, at: 2 }, 1, 9);
  expect(down).toEqual({ text, at: 10 });
  expect(movedByRow(down, -1, 9)).toEqual({ text, at: 2 });
  expect(movedByRow({ text, at: 2 }, -1, 9)).toEqual({ text, at: 0 });
  expect(movedByRow(down, 1, 9)).toEqual(draftOf(text));
  // Up from the end of a longer row stays in the row above it.
  const rows = rowsOf('aaa bbbbbb', 4);
  expect(rowAt(rows, movedByRow(draftOf('aaa bbbbbb'), -1, 5).at)).toBe(rows.length - 2);
});
