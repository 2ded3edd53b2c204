// What a page needs to use the renderer's half: no React, whatever it draws with.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const packages = join(import.meta.dirname, '../..');

/** The packages that a file leads to, by way of the files beside it and of Tailrace's own packages. */
function leadsTo(file: string, known = new Set<string>(), foreign = new Set<string>()): ReadonlySet<string> {
  if (known.has(file)) return foreign;
  known.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}).* from '([^']+)';$/gm)) {
    if (name.startsWith('.')) leadsTo(join(dirname(file), name), known, foreign);
    else if (name.startsWith('@tailrace/')) leadsTo(entryOf(name), known, foreign);
    else foreign.add(name);
  }
  return foreign;
}

function entryOf(name: string): string {
  const [, own = '', ...rest] = name.split('/');
  const { exports } = JSON.parse(readFileSync(join(packages, own, 'package.json'), 'utf8'));
  const { types } = exports[['.', ...rest].join('/')];
  return join(packages, own, types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts'));
}

test('[G-14] nothing of React is behind the types of the renderer', () => {
  const foreign = leadsTo(join(packages, 'electron/src/renderer/index.ts'));
  // It is no empty look: the schemas are found.
  expect(foreign).toContain('zod');
  expect(foreign).not.toContain('react');
});
