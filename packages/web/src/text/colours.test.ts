import { expect, test } from 'vitest';
import { type ColouredLine, colourLines } from './colours.ts';

async function colour(
  lines: readonly string[],
): Promise<{ readonly last: readonly ColouredLine[]; readonly shows: number }> {
  let [last, shows]: [readonly ColouredLine[], number] = [[], 0];
  await colourLines(
    lines,
    'typescript',
    (coloured) => {
      last = coloured;
      shows++;
    },
    new AbortController().signal,
  );
  return { last, shows };
}

const textOf = (line: ColouredLine): string => line.map(({ text }) => text).join('');

test('each stretch has a colour for light and for dark, and the text stays what it is', async () => {
  const lines = ['export async function settle(items: readonly Item[]): Promise<number> {', '  // done', '}'];
  const { last } = await colour(lines);
  expect(last.map(textOf)).toEqual(lines);
  for (const { colour: one } of last.flat()) expect(one).toMatch(/^light-dark\(#[0-9A-F]{6}, #[0-9A-F]{6}\)$/i);
  expect(new Set(last.flat().map((stretch) => stretch.colour)).size).toBeGreaterThan(3);
});

test('what begins in one step goes on in the next', async () => {
  const lines = ['/*', ...Array.from({ length: 250 }, (_, index) => `return ${index};`), '*/', 'return 1;'];
  const { last, shows } = await colour(lines);
  expect(last.map(textOf)).toEqual(lines);
  const comment = last[0]?.[0]?.colour;
  for (const line of last.slice(0, 252)) expect(line.map((stretch) => stretch.colour)).toEqual([comment]);
  expect(last.at(-1)?.[0]?.colour).not.toBe(comment);
  expect(shows).toBeLessThan(5);
});

test('it stops when nobody wants it any more', async () => {
  const over = new AbortController();
  let shows = 0;
  await colourLines(
    Array.from({ length: 1000 }, () => 'let a = 1;'),
    'typescript',
    () => {
      shows++;
      over.abort();
    },
    over.signal,
  );
  expect(shows).toBe(1);
});
