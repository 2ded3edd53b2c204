// The licences of the packages that are bundled with the command and with its page.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

test.each([
  ['the command', '../dist/licences.txt', ['ink', 'marked', 'react', 'ws', 'zod']],
  ['the page', '../dist/page/licences.txt', ['react-dom', 'shiki', 'uplot']],
])('lie beside %s, and are packed', (_name, path, some) => {
  const text = readFileSync(at(path), 'utf8');
  for (const name of some) expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, \\w`, 'm'));
  expect(text.match(/permission notice/g)?.length).toBeGreaterThan(some.length);
  const { files } = JSON.parse(readFileSync(at('../package.json'), 'utf8'));
  const packed = path.replace('../', '');
  expect(files.some((file: string) => packed === file || packed.startsWith(`${file}/`))).toBe(true);
});
