// Help fits the terminal, and says the same at every width.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandNames, help, helpOf } from './help.ts';
import { wrapHelp } from './help-lines.ts';

const pages: readonly (readonly [string, string])[] = [
  ['tailrace', help],
  ...commandNames.map((name) => [name, helpOf(name)] as const),
];
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '' && word !== '\\');

describe.each(pages)('the help of %s', (_, page) => {
  test.each([80, 100, 200])('has no line that is too long at %d columns', (columns) => {
    const long = wrapHelp(page, columns)
      .split('\n')
      .filter((line) => line.length > Math.min(columns, 100));
    expect(long).toEqual([]);
  });

  test('has the same words in the same order at every width', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 150 }), (columns) => {
        expect(wordsOf(wrapHelp(page, columns))).toEqual(wordsOf(page));
      }),
      { numRuns: 20 },
    );
  });
});

test('what is told of an option stays in its column, and a command goes on behind a backslash', () => {
  const page = `tailrace x [options]

Does what
it is told.

  --some FILE          a text that is too long for the line it
                       begins in
  --other

Example
  tailrace x --some file --other --some "one of them"
`;
  expect(wrapHelp(page, 48)).toBe(`tailrace x [options]

Does what it is told.

  --some FILE          a text that is too long
                       for the line it begins in
  --other

Example
  tailrace x --some file --other --some \\
    "one of them"
`);
});
