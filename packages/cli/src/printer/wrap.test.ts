import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { createPalette, Style } from './palette.ts';
import { fitPath, fitTo, graphemesOf, padTo, widthOf } from './width.ts';
import { breakLine, wrapSpans } from './wrap.ts';

const palette = createPalette(false);
const rowsOf = (text: string, columns: number): readonly string[] =>
  wrapSpans([{ text, style: Style.none }], columns, palette).map((row) => row.text);

const words = fc
  .array(
    fc.constantFrom(
      'mill',
      'a',
      'wheel-and-race',
      '日本語',
      '한국어',
      '👩‍👩‍👧',
      'é',
      'naïve',
      '。',
      '（注）',
      ' ',
      '  ',
      '\n',
      'x'.repeat(90),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));
const anyText = fc.oneof(words, fc.string({ unit: 'grapheme', maxLength: 80 }));

describe('text in rows', () => {
  test('breaks between words, and a long word where the row ends', () => {
    expect(rowsOf('the race runs over the wheel', 10)).toEqual(['the race', 'runs over', 'the wheel']);
    expect(rowsOf(`a ${'b'.repeat(25)} c`, 10)).toEqual(['a', 'bbbbbbbbbb', 'bbbbbbbbbb', 'bbbbb c']);
    expect(rowsOf('one\ntwo\n\nthree', 10)).toEqual(['one', 'two', '', 'three']);
  });

  test('goes on behind a character that is wider than a row', () => {
    expect(rowsOf('𝆺𝅥𝅮$', 2).join('')).toBe('𝆺𝅥𝅮$');
    expect(rowsOf('水$$', 1)).toEqual(['水', '$', '$']);
  });

  test('breaks between the characters of scripts without spaces, not before what closes', () => {
    expect(rowsOf('水車は水の力で回ります。', 10)).toEqual(['水車は水の', '力で回りま', 'す。']);
    expect(rowsOf('あいうえ。お', 8)).toEqual(['あいう', 'え。お']);
  });

  test('keeps a style on each of its rows', () => {
    const coloured = createPalette(true);
    const rows = wrapSpans(
      [
        { text: 'bold and ', style: Style.bold },
        { text: 'not', style: Style.none },
      ],
      6,
      coloured,
    );
    expect(rows.map(({ text, width }) => [text, width])).toEqual([
      ['\u001b[1mbold\u001b[22m', 4],
      ['\u001b[1mand\u001b[22m', 3],
      ['not', 3],
    ]);
  });

  test('no row is wider than it may be, and nothing but spaces is lost', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 100 }), (text, columns) => {
        const rows = wrapSpans([{ text, style: Style.none }], columns, palette);
        for (const row of rows) {
          const widest = Math.max(0, ...[...graphemesOf(row.text)].map(({ width }) => width));
          expect(row.width).toBeLessThanOrEqual(Math.max(columns, widest));
          expect(widthOf(row.text)).toBe(row.width);
        }
        expect(
          rows
            .map((row) => row.text)
            .join('')
            .replaceAll(/[ \t\n]/g, ''),
        ).toBe(text.replaceAll(/[ \t\n]/g, ''));
      }),
      { numRuns: counts.runs },
    );
  });

  test('a line of code keeps all of its characters', () => {
    fc.assert(
      fc.property(
        anyText.map((text) => text.replaceAll(/[\t\n]/g, '')),
        fc.integer({ min: 4, max: 100 }),
        (line, columns) => {
          const rows = breakLine(line, columns);
          expect(rows.join('')).toBe(line);
          for (const row of rows.slice(0, -1)) expect(widthOf(row)).toBeLessThanOrEqual(columns);
        },
      ),
      { numRuns: counts.runs },
    );
  });
});

describe('text that has to fit', () => {
  test.each<[string, number, string]>([
    ['short', 10, 'short'],
    ['exactly 10', 10, 'exactly 10'],
    ['longer than ten', 10, 'longer th…'],
    ['水車水車水車', 10, '水車水車…'],
    ['two\nlines', 20, 'two↵lines'],
    ['anything', 0, ''],
    ['anything', 1, '…'],
  ])('"%s" in %d columns is "%s"', (text, columns, expected) => {
    expect(fitTo(text, columns)).toBe(expected);
  });

  test('is as wide as it may be with spaces behind it', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 60 }), (text, columns) => {
        expect(widthOf(fitTo(text, columns))).toBeLessThanOrEqual(columns);
        expect(widthOf(padTo(text, columns))).toBe(columns);
      }),
      { numRuns: counts.runs },
    );
  });

  test('of a path the end stays', () => {
    expect(fitPath('packages/cli/src/printer/printer.ts', 30)).toBe('…/cli/src/printer/printer.ts');
    expect(fitPath('packages/cli/src/printer/printer.ts', 12)).toBe('…/printer.ts');
    expect(fitPath('packages/cli/src/printer/printer.ts', 6)).toBe('print…');
  });
});
