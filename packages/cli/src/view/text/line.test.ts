import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { column, cutFront, cutText, fit, type Line, markHits, span, spread, widthOfLine } from './line.ts';
import { wrap, wrapWhole } from './wrap.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.stringMatching(/^[\u4e00-\u4eff a-z]{0,60}$/),
  fc.constantFrom('👩‍👩‍👧 family', '日本語のテキスト', 'plain words here', '✓ ok'),
);
const anyLine = fc.array(anyText.map((text) => span(text.replaceAll('\n', ' ')))).map((line): Line => line);
const anyWidth = fc.integer({ min: 0, max: 120 });

test('no line is wider than there is room, whatever is in it', () => {
  fc.assert(
    fc.property(anyLine, anyLine, anyWidth, (left, right, width) => {
      expect(widthOfLine(fit(left, width))).toBeLessThanOrEqual(width);
      expect(widthOfLine(spread(left, right, width))).toBeLessThanOrEqual(width);
    }),
  );
});

test('what fits is left as it is, and what is cut says so', () => {
  fc.assert(
    fc.property(anyText, anyWidth, (text, width) => {
      const [front, end] = [cutText(text, width), cutFront(text, width)];
      expect(stringWidth(front)).toBeLessThanOrEqual(width);
      expect(stringWidth(end)).toBeLessThanOrEqual(width);
      if (stringWidth(text) <= width) expect([front, end]).toEqual([text, text]);
      else if (width > 0) expect([front.endsWith('…'), end.startsWith('…')]).toEqual([true, true]);
    }),
  );
  expect(stringWidth(column('日本語', 10))).toBe(10);
});

test('marks take nothing away', () => {
  fc.assert(
    fc.property(anyLine, anyText, (line, words) => {
      const join = (one: Line): string => one.map(({ text }) => text).join('');
      expect(join(markHits(line, words))).toBe(join(line));
    }),
  );
  expect(
    markHits([span('one Two two')], 'two')
      .filter(({ isTurned }) => isTurned)
      .map(({ text }) => text),
  ).toEqual(['Two', 'two']);
});

test('wrapped lines fit, and nothing but the room at their ends is missing', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 80 }), (text, width) => {
      const whole = wrapWhole(text, width);
      for (const row of whole) expect(stringWidth(row)).toBeLessThanOrEqual(width);
      expect(whole.join('').replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
      const bare = (one: string): string => one.normalize().replaceAll('\n', '').replaceAll(' ', '');
      expect(bare(wrap(text, width).join(''))).toBe(bare(text));
    }),
  );
});

test('a character that is wider than a row is taken apart', () => {
  expect(wrapWhole('\u1100\u1100', 2)).toEqual(['\u1100', '\u1100']);
});

test('[T-20] a line of 20,000 characters is there to its end', () => {
  const line = `${'x'.repeat(20_000)} and its end`;
  const rows = wrapWhole(line, 80);
  expect(rows.join('')).toBe(line);
  expect(rows.every((row) => row.length <= 80)).toBe(true);
});
