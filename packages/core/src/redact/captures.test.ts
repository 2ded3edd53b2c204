// No false hit: nothing in the recordings of any agent is a secret, and none of their ids, hashes and pictures looks like one.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { redact } from './redact.ts';
import { redactJson } from './redact-json.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : filesUnder(path);
    return entry.isFile() ? [path] : [];
  });
}

/** What was found, with the file. */
function hitsIn(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  const values = path.endsWith('.json')
    ? [text]
    : path.endsWith('l') || path.endsWith('.ndjson')
      ? text.split('\n')
      : [];
  const parsed = values.flatMap((value) => {
    try {
      return redactJson(JSON.parse(value)).found;
    } catch {
      return [];
    }
  });
  return [...redact(text).found, ...parsed].map(
    ({ kind, start, length }) => `${relative(root, path)}: ${kind} at ${start}, ${length}`,
  );
}

const agents = readdirSync(join(root, 'fixtures'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(agents)('[T-28] no false hit in the captures of %s, raw and events', (agent) => {
  const files = filesUnder(join(root, 'fixtures', agent));
  expect(files.length).toBeGreaterThan(1);
  expect(files.flatMap(hitsIn)).toEqual([]);
});

test('[T-28] no false hit in the sources and the lock file', () => {
  const sources = ['packages', 'scripts', 'bench', 'docs'].flatMap((folder) => filesUnder(join(root, folder)));
  const own = sources.filter((path) => /(?<!\.test|\/planted)\.(ts|mjs|md)$/.test(path));
  expect(own.length).toBeGreaterThan(200);
  expect([...own, join(root, 'package-lock.json')].flatMap(hitsIn)).toEqual([]);
});
