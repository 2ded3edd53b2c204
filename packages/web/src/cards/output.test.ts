// What tools print, made readable.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutAnsi } from './ansi.ts';
import { groupHits } from './hits.ts';
import { imageAddress } from './image-address.ts';
import { withoutNumbers } from './numbered.ts';

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['\u009b1mbold', 'bold'],
  ['10 %\r20 %\r100 %\ndone', '100 %\ndone'],
  ['a\r\nb', 'a\nb'],
  ['\u001b(B\u001b=text', 'text'],
  ['a\u001b', 'a\u001b'],
])('%j is shown as %j', (output, shown) => {
  expect(withoutAnsi(output)).toBe(shown);
});

test('text without escapes stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\r') && !text.includes('\u009b') && !text.includes('\u001b'));
      expect(withoutAnsi(text)).toBe(text);
    }),
  );
});

test.each(['\u001b[', '\u001b]', '\u001b', '\u001b[1', '\u001b]x', '\r', 'a\r', '\u001b '])(
  '[T-26] a megabyte of %j is soon done',
  (piece) => {
    const output = piece.repeat(Math.floor(1_000_000 / piece.length));
    const begin = performance.now();
    withoutAnsi(output);
    expect(performance.now() - begin).toBeLessThan(500);
  },
);

test('line numbers before each line are told once', () => {
  expect(withoutNumbers('  7\talpha\n  8\t\n  9\tbeta\n')).toEqual({ text: 'alpha\n\nbeta', first: 7, last: 9 });
  expect(withoutNumbers('1: a\n2: b')).toEqual({ text: 'a\nb', first: 1, last: 2 });
  expect(withoutNumbers('1\ta\n3\tb')).toBeUndefined();
  expect(withoutNumbers('alpha\nbeta')).toBeUndefined();
});

test('what a search found is grouped by file', () => {
  expect(groupHits('src/a.ts:3:one\nsrc/b.ts:1:two\nsrc/a.ts:9:three')).toEqual([
    {
      path: 'src/a.ts',
      hits: [
        { line: 3, text: 'one' },
        { line: 9, text: 'three' },
      ],
    },
    { path: 'src/b.ts', hits: [{ line: 1, text: 'two' }] },
  ]);
  expect(groupHits('Found 2 files\nsrc/b.ts\nsrc/a.ts')?.map(({ path }) => path)).toEqual(['src/b.ts', 'src/a.ts']);
  expect(groupHits('No matches found')).toBeUndefined();
});

test.each(['a:', '/a', 'a'.repeat(500), ' ', 'a/b c d '])(
  '[T-26] a megabyte of %j is soon searched through',
  (piece) => {
    const begin = performance.now();
    groupHits(piece.repeat(Math.floor(1_000_000 / piece.length)));
    expect(performance.now() - begin).toBeLessThan(500);
  },
);

test.each([
  [{ mediaType: 'image/png', data: 'iVBORw0=' }, 'data:image/png;base64,iVBORw0='],
  [{ mediaType: 'image/png', uri: 'data:image/webp;base64,AAAA' }, 'data:image/webp;base64,AAAA'],
  [{ mediaType: 'image/svg+xml', data: 'PHN2Zz4=' }, undefined],
  [{ mediaType: 'text/html', data: 'PHN2Zz4=' }, undefined],
  [{ mediaType: 'image/png', uri: 'data:image/svg+xml;base64,AAAA' }, undefined],
  [{ mediaType: 'image/png', uri: 'https://evil.example/x.png' }, undefined],
  [{ mediaType: 'image/png', data: '"><script>' }, undefined],
  [{ mediaType: 'image/png;x', data: 'AAAA' }, undefined],
])('[T-17] %j can be shown as %j', (picture, address) => {
  expect(imageAddress(picture)).toBe(address);
});
