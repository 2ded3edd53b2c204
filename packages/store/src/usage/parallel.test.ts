import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withTree } from '../../test/usage/trees.ts';
import { scanFiles } from './parallel.ts';

test('what cannot be read is told, what is gone is not, and the others count', async () => {
  await withTree(new Map(), async (folder) => {
    const file = join(folder, 'file.jsonl');
    const unreadable = join(folder, 'folder.jsonl');
    writeFileSync(file, '{"type":"assistant","uuid":"u","message":{"id":"a","usage":{"output_tokens":3}}}\n');
    mkdirSync(unreadable);
    const jobs = [file, unreadable, join(folder, 'gone.jsonl')].map((path) => ({ path }));
    const { files, unread } = await scanFiles(jobs, { workers: 0 });
    expect(files.map(({ ids }) => ids)).toEqual([['a']]);
    expect(unread).toEqual([unreadable]);
  });
});
