import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counts } from '../../../../../proof/counts.ts';
import { type Line, widthOfLine } from './line.ts';
import { markdownLines, quietMarkdown } from './markdown.ts';

const textOf = (line: Line): string => line.map(({ text }) => text).join('');
const textsOf = (lines: readonly Line[]): readonly string[] => lines.map(textOf);

test('marks become what they mean: headings, words that stand out, code, lists', () => {
  const lines = markdownLines('# Why\n\nIt is **not** `settle` but *sum*.\n\n1. one\n2. two\n   - deep\n', 60);
  expect(textsOf(lines)).toEqual(['Why', '', 'It is not settle but sum.', '', '1. one', '2. two', '   • deep']);
  expect(lines[0]).toEqual([{ text: 'Why', tone: 'plain', isStrong: true, isUnderlined: true }]);
  expect(lines[2]).toContainEqual({ text: 'not', tone: 'plain', isStrong: true });
  expect(lines[2]).toContainEqual({ text: 'settle', tone: 'code' });
  expect(lines[2]).toContainEqual({ text: 'sum', tone: 'plain', isSlanted: true });
});

const TABLE = '| file | what |\n|---|---|\n| 漢字.ts | reads 🌍 and says so |\n| b.ts | nothing |\n';

test.each([40, 80, 200])('a table stands in straight columns, %i wide', (width) => {
  const rows = markdownLines(TABLE, width);
  const edges = rows.map((line) => {
    const at = line.findIndex(({ text }) => text.includes('│') || text.includes('┼'));
    const before = line.slice(0, at);
    const [beginning = ''] = line[at]?.text.split(/[│┼]/) ?? [];
    return widthOfLine([...before, { text: beginning }]);
  });
  expect(new Set(edges).size).toBe(1);
});

test('code keeps its lines and its room, and a fence without an end is code as well', () => {
  expect(textsOf(markdownLines('Look:\n\n```ts\nif (a)\n  b();\n```\nSo.', 40))).toEqual([
    'Look:',
    '',
    '    if (a)',
    '      b();',
    '',
    'So.',
  ]);
  expect(textsOf(markdownLines('```\nopen', 40))).toEqual(['    open']);
});

test('what is beside the point is quiet, and still says what stands out in it', () => {
  for (const one of quietMarkdown('A **word** and `code`', 40).flat()) expect(one.tone).toBe('muted');
  expect(quietMarkdown('A **word**', 40)[0]).toContainEqual({ text: 'word', tone: 'muted', isStrong: true });
});

test('signs and letters that are joined by others are read as words, not as numbers of characters', () => {
  const said = '👨‍👩‍👧 ❤️ می‌خواهم क्‍ष';
  expect(textsOf(markdownLines(said, 60))).toEqual(['👨👩👧 ❤ میخواهم क्ष']);
  // Elsewhere they hide, and are written out.
  expect(textsOf(markdownLines('pass\u200dword', 60))).toEqual(['pass\\u{200d}word']);
});

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '# ',
        '- ',
        '1. ',
        '> ',
        '```\n',
        '| a | b |\n|---|---|\n',
        '**',
        '`',
        '[x](y)',
        '\n',
        '\n\n',
        '  ',
      ),
      fc.constantFrom('漢字', '🌍', '👩🏽‍💻', 'word ', 'a'.repeat(150), '\u0001', '\u0002', '&#27;[2J'),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test(`[T-18] no line of ${counts.viewSequences} texts is wider than there is room for, and none has a mark of ours or of theirs left`, () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 10, max: 120 }), (text, width) => {
      for (const line of markdownLines(text, width)) {
        expect(widthOfLine(line)).toBeLessThanOrEqual(width);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
        expect(textOf(line)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }
    }),
    { numRuns: counts.viewSequences },
  );
});
