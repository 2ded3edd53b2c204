import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldsOf, foldGaps, isGlance, sizeOf } from './shown-input.ts';

test('what will be run comes first, and every other field after it', () => {
  expect(fieldsOf({ why: 'a', command: 'ls', more: { deep: [1] } })).toEqual([
    { name: 'command', text: 'ls', look: 'command' },
    { name: 'why', text: 'a', look: 'text' },
    { name: 'more', text: '{\n  "deep": [\n    1\n  ]\n}', look: 'data' },
  ]);
  expect(fieldsOf({ command: ['ls'] })).toEqual([{ name: 'command', text: '[\n  "ls"\n]', look: 'data' }]);
  expect(fieldsOf('plain')).toEqual([{ text: 'plain', look: 'text' }]);
  expect(fieldsOf(undefined)).toEqual([]);
});

test('a size counts characters as people do', () => {
  expect(sizeOf(fieldsOf('ab'))).toBe('2 characters, 1 line');
  expect(sizeOf(fieldsOf('a\n😀'))).toBe('3 characters, 2 lines');
  expect(sizeOf(fieldsOf('x'.repeat(20_000)))).toBe('20,000 characters, 1 line');
});

test('only what is short in every way is read at a glance', () => {
  expect(isGlance(fieldsOf({ command: 'ls' }))).toBe(true);
  expect(isGlance(fieldsOf({ command: 'x'.repeat(301) }))).toBe(false);
  expect(isGlance(fieldsOf({ command: '\n'.repeat(6) }))).toBe(false);
});

test('500 empty lines are told, and what comes after them is there', () => {
  expect(foldGaps(`echo a\n${'\n'.repeat(499)} \t\nrm -rf /`)).toEqual([
    { text: 'echo a' },
    { emptyLines: 500 },
    { text: 'rm -rf /' },
  ]);
  expect(foldGaps('a\n\n\n\nb')).toEqual([{ text: 'a\n\n\n\nb' }]);
});

test('lines that hide something are no empty lines', () => {
  const hidden = Array.from({ length: 10 }, () => '\u200B').join('\n');
  expect(foldGaps(hidden)).toEqual([{ text: hidden }]);
});

test('nothing but gaps is ever folded', () => {
  const line = fc.constantFrom('', '', '', ' ', '\t', 'a', 'b c', '\u202E', '\uFEFF');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const unfolded = foldGaps(lines.join('\n')).flatMap((run) =>
        'text' in run ? run.text.split('\n') : Array.from({ length: run.emptyLines }, () => ''),
      );
      const blank = (text: string): string => (text === ' ' || text === '\t' ? '' : text);
      expect(unfolded.map(blank)).toEqual((lines.length === 0 ? [''] : lines).map(blank));
    }),
  );
});
