// What is found below a root, and that nothing leads out of it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agents } from '@tailrace/core';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { bytesOf, createScratch, type Scratch } from '../../test/transcripts/scratch.ts';
import { isInside, openInside } from '../tail/open-file.ts';
import { type FoundFile, findTranscripts, type Problem } from './discover.ts';
import { importTranscripts } from './import.ts';

let scratch: Scratch;
let root = '';
beforeEach(() => {
  scratch = createScratch();
  root = join(scratch.folder, 'projects');
  mkdirSync(root);
});
afterEach(() => scratch.remove());

const idOf = (number: number): string => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;

function put(path: string, text = '{}\n'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function find(dir = root): Promise<{ files: FoundFile[]; problems: Problem[] }> {
  const files: FoundFile[] = [];
  const problems: Problem[] = [];
  for await (const file of findTranscripts({ dir, onProblem: (problem) => problems.push(problem) })) files.push(file);
  return { files, problems };
}

test('finds sessions and sub-agents in their old and new places, and nothing else', async () => {
  put(join(root, `-home/${idOf(1)}.jsonl`));
  put(join(root, `-home/agent-old.jsonl`));
  put(join(root, `-home/${idOf(1)}/subagents/agent-new.jsonl`));
  put(join(root, `-home/${idOf(1)}/subagents/agent-new.meta.json`));
  put(join(root, `-home/${idOf(1)}/subagents/workflows/w/agent-deep.jsonl`));
  put(join(root, '-home/memory/MEMORY.md'));
  put(join(root, 'stray.jsonl'));
  mkdirSync(join(root, `-home/${idOf(2)}.jsonl`));
  const { files, problems } = await find();
  expect(problems).toEqual([]);
  expect(files.map(({ sessionId, taskId }) => [sessionId, taskId])).toEqual([
    [idOf(1), 'new'],
    [idOf(1), 'deep'],
    [idOf(1), undefined],
    [undefined, 'old'],
  ]);
  expect(new Set(files.map(({ agent }) => agent))).toEqual(new Set(agents.filter(({ name }) => name === 'claude')));
});

describe('[T-23] below a root', () => {
  test('a thousand odd names harm nothing', async () => {
    const names = fc
      .sample(
        fc.oneof(
          fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
          fc
            .array(fc.constantFrom('..', '.', '\\', '%2e', '%2f', 'C:', '#', '~', '\n', '\u202e', idOf(1), '-', ' '), {
              minLength: 1,
              maxLength: 8,
            })
            .map((parts) => parts.join('')),
        ),
        { numRuns: 1000, seed: 23 },
      )
      .map((name) => Buffer.from(name.replaceAll(/[/\0]/g, '_')).toString());
    for (const name of names) {
      if (Buffer.byteLength(name) > 200 || name === '.' || name === '..') continue;
      put(join(root, name, `${idOf(1)}.jsonl`));
      put(join(root, '-home', `${name}.jsonl`));
      put(join(root, '-home', name, 'subagents', 'agent-1.jsonl'));
    }
    const { files, problems } = await find();
    expect(problems).toEqual([]);
    expect(files.length).toBeGreaterThan(900);
    for (const { path, sessionId, taskId } of files) {
      expect(isInside(root, path)).toBe(true);
      if (taskId === undefined) expect(sessionId).toBe(idOf(1));
    }
    const { record } = await scratch.open();
    const few = await importTranscripts(record, { dir: join(root, '-home') });
    expect(few.problems).toEqual([]);
    expect((await record.streams()).length).toBe(few.files);
  });

  test('links out are told and not followed, links within give nothing twice, and the root itself may be one', async () => {
    const outside = join(scratch.folder, 'projects-of-others');
    put(join(outside, `${idOf(9)}.jsonl`), 'secret\n');
    put(join(outside, 'agent-9.jsonl'), 'secret\n');
    const inside = put(join(root, `-home/${idOf(1)}.jsonl`));
    put(join(root, `-home/${idOf(1)}/subagents/agent-1.jsonl`));
    symlinkSync(outside, join(root, '-linked'));
    symlinkSync(join(outside, `${idOf(9)}.jsonl`), join(root, `-home/${idOf(2)}.jsonl`));
    symlinkSync(outside, join(root, `-home/${idOf(1)}/subagents/workflows`));
    symlinkSync(join(outside, 'nothing'), join(root, '-nowhere'));
    symlinkSync(dirname(inside), join(root, '-again'));
    symlinkSync(
      put(join(outside, 'about.json'), '{"toolUseId":"secret"}'),
      join(root, `-home/${idOf(1)}/subagents/agent-1.meta.json`),
    );
    const door = join(scratch.folder, 'door');
    symlinkSync(root, door);
    for (const dir of [root, door]) {
      const { files, problems } = await find(dir);
      expect(files.map(({ sessionId }) => sessionId)).toEqual([idOf(1), idOf(1)]);
      expect(problems.map(({ code, path }) => [code, path.slice(root.length)])).toEqual([
        ['refused', `/-home/${idOf(1)}/subagents/agent-1.meta.json`],
        ['refused', `/-home/${idOf(1)}/subagents/workflows`],
        ['refused', `/-home/${idOf(2)}.jsonl`],
        ['refused', '/-linked'],
        ['refused', '/-nowhere'],
      ]);
    }
    const { record } = await scratch.open();
    await importTranscripts(record, { dir: root });
    for (const { name, about } of await record.streams()) {
      expect(about).toBeUndefined();
      expect((await bytesOf(record, name)).toString()).toBe('{}\n');
    }
  });

  test('a folder that becomes a link at any moment gives nothing from elsewhere', async () => {
    const outside = join(scratch.folder, 'outside');
    const project = join(root, '-home');
    for (let number = 0; number < 5; number++) {
      put(join(outside, `${idOf(number)}.jsonl`), `secret ${number}\n`.repeat(3));
      put(join(project, `${idOf(number)}.jsonl`), `mine ${number}\n`);
    }
    const flipping = spawn(process.execPath, [
      '-e',
      `const fs = require('node:fs'); const [project, outside] = process.argv.slice(1); process.stdin.resume();
       process.stdin.on('end', () => process.exit()); let isLink = false;
       const flip = () => { for (let count = 0; count < 100; count++) { if (isLink) { fs.unlinkSync(project); fs.renameSync(project + '.away', project); }
         else { fs.renameSync(project, project + '.away'); fs.symlinkSync(outside, project); } isLink = !isLink; } setImmediate(flip); }; flip();`,
      project,
      outside,
    ]);
    const gone = once(flipping, 'exit');
    const { record } = await scratch.open();
    let kept = 0;
    let opened = 0;
    for (let round = 0; round < counts.linkRaces; round++) {
      const handle = await openInside(root, join(project, `${idOf(round % 5)}.jsonl`)).catch(() => undefined);
      if (handle) {
        opened++;
        expect(await handle.readFile('utf8')).toContain('mine');
        await handle.close();
      }
      // The whole way takes longer, and meets other moments.
      if (round % 250 === 0) kept += (await importTranscripts(record, { dir: root })).lines;
    }
    expect(opened).toBeGreaterThan(0);
    flipping.stdin.end();
    await gone;
    if (readdirSync(root).includes('-home.away')) renameSync(join(root, '-home.away'), join(root, '-mine'));
    kept += (await importTranscripts(record, { dir: root })).lines;
    expect(kept).toBeGreaterThan(4);
    for (const { name } of await record.streams())
      expect((await bytesOf(record, name)).toString()).not.toContain('secret');
  });
});
