import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBlockSplitter } from './blocks.ts';

const SCRAPS = [
  'Some words.',
  '\n',
  '\n\n',
  '# Title\n',
  '- one\n',
  '  - two\n',
  '1. first\n',
  '```ts\nlet a = 1;\n',
  '```\n',
  '> quoted\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '    indented\n',
  '<div>\n',
  '</div>\n',
  '[a]: http://example.com\n',
  '---\n',
  '\t',
  '**bold',
  '** and `code`',
];
const markdown = fc.array(fc.oneof(fc.constantFrom(...SCRAPS), fc.string()), { maxLength: 25 });

test('the blocks together are the text', () => {
  fc.assert(
    fc.property(markdown, (scraps) => {
      const text = scraps.join('').replaceAll('\r\n', '\n');
      const blocks = createBlockSplitter().split(text);
      expect(blocks.map((block) => block.text).join('')).toBe(text);
    }),
  );
});

test('a text that grows keeps the blocks that it had, but for the last', () => {
  const splitter = createBlockSplitter();
  const before = splitter.split('# One\n\nTwo\n\nThr');
  const after = splitter.split('# One\n\nTwo\n\nThree and more\n\nFour');
  expect(before).toHaveLength(3);
  expect(after.map(({ text }) => text)).toEqual(['# One\n\n', 'Two\n\n', 'Three and more\n\n', 'Four']);
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
});

test('a text that grows piece by piece loses nothing', () => {
  fc.assert(
    fc.property(markdown, (scraps) => {
      const splitter = createBlockSplitter();
      let text = '';
      for (const scrap of scraps) {
        text += scrap;
        const blocks = splitter.split(text);
        expect(blocks.map((block) => block.text).join('')).toBe(text.replaceAll('\r\n', '\n'));
      }
    }),
  );
});

test('a text that is another one is read anew', () => {
  const splitter = createBlockSplitter();
  splitter.split('One\n\nTwo');
  expect(splitter.split('Other')).toEqual([{ text: 'Other' }]);
});

test('a fence that nobody closes goes to the end', () => {
  const blocks = createBlockSplitter().split('Before\n\n```ts\nlet a;\n\nlet b;');
  expect(blocks.map(({ text }) => text)).toEqual(['Before\n\n', '```ts\nlet a;\n\nlet b;']);
});

test('a long list is cut between its entries', () => {
  const text = Array.from({ length: 600 }, (_, index) => `${index + 1}. entry with \`code\` and **words**`).join('\n');
  const blocks = createBlockSplitter().split(text);
  expect(blocks.length).toBeGreaterThan(3);
  expect(blocks.map((block) => block.text).join('')).toBe(text);
  for (const block of blocks) expect(block.text).toMatch(/^\d+\. entry/);
  expect(blocks.some((block) => block.isPlain)).toBe(false);
  expect(createBlockSplitter().split('- entry\n'.repeat(2000)).length).toBeGreaterThan(3);
  // Each of these would begin anew.
  expect(createBlockSplitter().split('1. entry\n'.repeat(1000))).toHaveLength(1);
});

test.each([
  ['one block of a megabyte', 'x'.repeat(1_000_000)],
  ['a hundred thousand brackets', '['.repeat(100_000)],
  ['quotes in quotes', '> '.repeat(60_000)],
  ['lists in lists', '- '.repeat(60_000)],
])('%s is plain, and soon', (_, text) => {
  const begin = performance.now();
  const blocks = createBlockSplitter().split(text);
  expect(blocks).toEqual([{ text, isPlain: true }]);
  expect(performance.now() - begin).toBeLessThan(2000);
});
