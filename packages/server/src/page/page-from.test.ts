import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pageFrom } from './page-from.ts';

function built(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const FILES = {
  'index.html': 'the document',
  'theme.js': 'a script',
  'icon.svg': 'a picture',
  'assets/index-1a2b.js': 'the code',
  'assets/part-1a2b.mjs': 'more of it',
  'assets/index-1a2b.css': 'the style',
  'assets/inter-1a2b.woff2': 'the letters',
};

test.each([
  ['/index.html', 'text/html; charset=utf-8', undefined],
  ['/theme.js', 'text/javascript; charset=utf-8', undefined],
  ['/icon.svg', 'image/svg+xml', undefined],
  ['/assets/index-1a2b.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/part-1a2b.mjs', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/index-1a2b.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['/assets/inter-1a2b.woff2', 'font/woff2', 'public, max-age=31536000, immutable'],
])('%s has its type, and is kept where its name tells what is in it', (path, type, cacheControl) => {
  const file = pageFrom(built(FILES))(path);
  expect([file?.type, file?.cacheControl]).toEqual([type, cacheControl]);
  expect(Buffer.from(file?.body ?? []).toString()).toBe(FILES[path.slice(1) as keyof typeof FILES]);
});

test.each(['/', '/sessions/1f2e', '/sessions/run:1f2e', '/nothing'])('%s is a place in the page', (path) => {
  const file = pageFrom(built(FILES))(path);
  expect([file?.type, file?.cacheControl]).toEqual(['text/html; charset=utf-8', undefined]);
  expect(Buffer.from(file?.body ?? []).toString()).toBe('the document');
});

test.each(['/api', '/api/sessions', '/ws', '/assets/index-0000.js', '/theme.js.map'])('%s is none', (path) => {
  expect(pageFrom(built(FILES))(path)).toBeUndefined();
});

test('[T-23] what was not there at the start, or is a link, is not there', () => {
  const folder = built(FILES);
  const outside = built({ 'secret.txt': 'a secret' });
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
  symlinkSync(outside, join(folder, 'linked'));
  const page = pageFrom(folder);
  writeFileSync(join(folder, 'later.txt'), 'later');
  for (const path of ['/link.txt', '/linked/secret.txt', '/later.txt', '/../secret.txt', '/./theme.js', '//theme.js'])
    expect(page(path)).toBeUndefined();
});

test('a file that was taken away meanwhile is not there, and the page goes on', () => {
  const folder = built(FILES);
  const page = pageFrom(folder);
  rmSync(join(folder, 'theme.js'));
  expect(page('/theme.js')).toBeUndefined();
  expect(page('/')).toBeDefined();
});

test('a folder without a document is no page', () => {
  const folder = built({ 'theme.js': '' });
  expect(() => pageFrom(folder)).toThrow(/no index.html/);
});
