import { describe, expect, test } from 'vitest';
import { foundText } from './found.ts';

const text = (words: string) => [{ type: 'text', text: words }] as const;
const resource = { type: 'resource', uri: 'https://example.com/' } as const;

describe('what a call found', () => {
  test.each([
    ['src/a.ts\nsrc/b.ts', '2 files'],
    ['./src/app.js', '1 file'],
    ['Found 2 files\nsrc/b.ts\nsrc/a.ts', '2 files'],
    ['src/a.ts:1:// one\nsrc/b.ts:2:// two\n--\nsrc/b.ts:3:// three\n', '3 matches in 2 files'],
    ['src/a.ts:1:one', '1 match'],
    ['src/a.ts:2\nsrc/b.ts:5', '7 matches in 2 files'],
    ['No matches found\n\nFound 0 total occurrences.', 'no matches'],
    ['No files found', 'no files'],
    ['{"results": []}', ''],
    ['It is somewhere in the first file, I think.', ''],
    ['', ''],
  ])('of a search: %j is %j', (words, found) => {
    expect(foundText('search', text(words))).toBe(found);
  });

  test('results are counted', () => {
    expect(foundText('fetch', [resource, resource])).toBe('2 results');
    expect(foundText('search', [resource])).toBe('1 result');
  });

  test('a page tells its size, and an image too', () => {
    expect(foundText('fetch', text('a'.repeat(900)))).toBe('900 bytes');
    expect(foundText('fetch', text('é'.repeat(1_000)))).toBe('2.0 kB');
    expect(foundText('read', [{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(4_000) }])).toBe('png, 3.0 kB');
  });

  test('a file that was read needs no more than its name', () => {
    expect(foundText('read', text('1\talpha\n2\t'))).toBe('');
  });

  test('nothing is said of other calls', () => {
    expect(foundText('execute', text('src/a.ts'))).toBe('');
    expect(foundText('search', [])).toBe('');
  });
});
