import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLines, foldText, showBytes, showMore } from './fold.ts';

/** Half of a character. */
const LONE = /\p{Surrogate}/u;
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

test('the first or the last lines are kept, and it is told how many more there are', () => {
  const first = foldText(lines(49), 8);
  expect(first.text).toBe(`${lines(8)}\n`);
  expect(showMore(first)).toBe('… 41 more lines');
  const last = foldText(lines(49), 8, 'last');
  expect(last.text.split('\n')).toEqual(lines(49).split('\n').slice(-8));
  expect(showMore(last)).toBe('… 41 more lines');
});

test('what hides no more than the button would is shown', () => {
  expect(foldText(lines(9), 8)).toEqual({ text: lines(9), lines: 0, characters: 0 });
});

test('a line that never ends is folded too', () => {
  const folded = foldText('x'.repeat(1_000_000), 8);
  expect(folded.text.length).toBeLessThan(2000);
  expect(showMore(folded)).toBe('… 999 kB more');
});

test('nothing is lost between what is shown and what is counted, and no character is cut in two', () => {
  const text = fc
    .array(fc.oneof(fc.string(), fc.constantFrom('\n', '🌍', 'x'.repeat(200))))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('first' as const, 'last' as const),
      (whole, most, keep) => {
        const folded = foldText(whole, most, keep);
        expect(folded.text.length + folded.characters).toBe(whole.length);
        expect(keep === 'first' ? whole.startsWith(folded.text) : whole.endsWith(folded.text)).toBe(true);
        if (!LONE.test(whole)) expect(folded.text).not.toMatch(LONE);
      },
    ),
  );
});

test('lines and bytes are counted as people do', () => {
  expect([countLines(''), countLines('a'), countLines('a\n'), countLines('a\nb')]).toEqual([0, 1, 1, 2]);
  expect([showBytes(12), showBytes(41_200), showBytes(2_340_000)]).toEqual(['12 B', '41 kB', '2.3 MB']);
});
