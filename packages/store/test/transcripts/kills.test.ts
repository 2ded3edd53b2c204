// Two processes take the same files in while these are written, and are killed at any moment.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { importHooks } from '../../src/hooks/spool.ts';
import { importTranscripts } from '../../src/transcripts/import.ts';
import { bytesOf, createScratch, type Scratch, until } from './scratch.ts';

let scratch: Scratch;
let program = '';
const living = new Set<ChildProcess>();
beforeAll(async () => {
  scratch = createScratch();
  program = join(scratch.folder, 'importer.mjs');
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3');
  const made = await rolldown({
    input: fileURLToPath(new URL('importer.ts', import.meta.url)),
    platform: 'node',
    // Its native part is found from where it lies.
    plugins: [{ name: 'sqlite', resolveId: (id) => (id === 'better-sqlite3' ? { id: sqlite, external: true } : null) }],
  });
  await made.write({ file: program, format: 'esm' });
  await made.close();
});
afterAll(async () => {
  for (const child of living) child.kill('SIGKILL');
  await scratch.remove();
});

const idOf = (number: number): string => `0000000${number}-0000-4000-8000-000000000000`;

test('each line of transcripts and hooks is kept once, in order, though those who take them are killed', async () => {
  const projects = join(scratch.folder, '.claude/projects/-home');
  const spool = join(scratch.folder, 'data', 'spool');
  mkdirSync(projects, { recursive: true });
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const files = [1, 2, 3].map((number) => join(projects, `${idOf(number)}.jsonl`));
  const written = ['', '', ''];
  let hooks = '';
  let number = 0;
  const write = (): void => {
    files.forEach((path, index) => {
      const lines = Array.from({ length: 1 + (number % 7) }, () => `{"line":${number++}}\n`).join('');
      appendFileSync(path, lines);
      written[index] += lines;
    });
    const payload = `{"session_id":"${idOf(1)}","number":${number}}`;
    appendFileSync(join(spool, 'hooks.ndjson'), `{"at":${number},"payload":${payload}}\n`, { mode: 0o600 });
    hooks += `${payload}\n`;
  };

  let heard = 0;
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [program, scratch.folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    living.add(child);
    child.stdout?.on('data', (bytes: Buffer) => {
      heard += bytes.length;
    });
    return child;
  };
  // The first one makes the store.
  write();
  const children = [start()];
  await until(() => heard > 0);
  children.push(start());
  for (let kills = 0; kills < counts.importerKills; kills++) {
    const before = heard;
    write();
    // A different moment each time, counted in what they tell.
    await until(() => {
      write();
      return heard > before + (kills % 5);
    });
    const victim = children.shift();
    const gone = victim && once(victim, 'exit');
    victim?.kill('SIGKILL');
    await gone;
    if (victim) living.delete(victim);
    children.push(start());
  }
  for (const child of children) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    living.delete(child);
  }
  const { record } = await scratch.open();
  expect((await importTranscripts(record, { env: { HOME: scratch.folder } })).problems).toEqual([]);
  await importHooks(record, { folder: spool });
  for (const [index, path] of files.entries())
    expect((await bytesOf(record, `transcript:claude:${path}`)).toString()).toBe(written[index]);
  expect((await bytesOf(record, `hook:claude:${idOf(1)}`)).toString()).toBe(hooks);
  // No stream was begun anew, and nothing else was kept.
  expect((await record.streams()).length).toBe(5);
});
