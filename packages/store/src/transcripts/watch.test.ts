// Files that are written, replaced and deleted while somebody watches, with a real store.

import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bytesOf, createScratch, type Scratch, until } from '../../test/transcripts/scratch.ts';
import type { LineRecord } from '../contract.ts';
import type { Problem } from './discover.ts';
import type { KeptLines } from './take.ts';
import { type WatchOptions, watchTranscripts } from './watch.ts';

let scratch: Scratch;
let projects = '';
let record: LineRecord;
let stop: AbortController;
let watching: Promise<void>;
beforeEach(async () => {
  scratch = createScratch();
  projects = join(scratch.folder, '.claude/projects');
  record = (await scratch.open()).record;
  stop = new AbortController();
  watching = Promise.resolve();
});
afterEach(async () => {
  stop.abort();
  await watching;
  await scratch.remove();
});

const idOf = (number: number): string => `0000000${number}-0000-4000-8000-000000000000`;
const sessionFile = (number: number, project = '-home'): string => join(projects, project, `${idOf(number)}.jsonl`);
const streamOf = (path: string): string => `transcript:claude:${path}`;
const textOf = async (path: string): Promise<string> => (await bytesOf(record, streamOf(path))).toString();

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Begins to watch; resolves when what was there is in the record. */
async function start(options: Partial<WatchOptions> = {}): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    watching = watchTranscripts(record, {
      env: { HOME: scratch.folder },
      signal: stop.signal,
      onImported: () => resolve(),
      ...options,
    });
    watching.catch(reject);
  });
}

describe.each<[string, Partial<WatchOptions>]>([
  ['by the hints of the system', { pollMs: 3_600_000 }],
  ['by looking from time to time', { hints: false, pollMs: 10 }],
])('a watch %s', (_, options) => {
  test('keeps what was there, what is written, and what is new: files, projects and sub-agents', async () => {
    const first = put(sessionFile(1), 'one\n');
    const kept: KeptLines[] = [];
    await start({ ...options, onLines: (lines) => kept.push(lines) });
    expect(await textOf(first)).toBe('one\n');
    // The first look sets up the watches: until it is over a change is found by it, afterwards by a hint.
    appendFileSync(first, 'two\nthr');
    await until(async () => (await textOf(first)) === 'one\ntwo\n');
    appendFileSync(first, 'ee\n');
    await until(async () => (await textOf(first)) === 'one\ntwo\nthree\n');
    const second = put(sessionFile(2), 'new file\n');
    await until(async () => (await textOf(second)) === 'new file\n');
    const third = put(sessionFile(3, '-other'), 'new project\n');
    await until(async () => (await textOf(third)) === 'new project\n');
    const folder = join(projects, '-home', idOf(1), 'subagents');
    put(join(folder, 'agent-a.meta.json'), '{"toolUseId":"t"}');
    const agent = put(join(folder, 'agent-a.jsonl'), 'sub-agent\n');
    await until(async () => (await textOf(agent)) === 'sub-agent\n');
    expect(await record.stream(streamOf(agent))).toMatchObject({ sessionId: idOf(1), about: { toolUseId: 't' } });
    expect(kept.map(({ lines }) => lines).reduce((sum, lines) => sum + lines, 0)).toBe(6);
    expect(kept.map(({ position }) => position)).toEqual(
      [...kept.map(({ position }) => position)].sort((a, b) => a - b),
    );
  });

  test('goes on through deletion and replacement', async () => {
    const path = put(sessionFile(1), 'one\n');
    await start(options);
    rmSync(dirname(path), { recursive: true });
    put(path, 'again 1\nagain 2\n');
    await until(async () => (await textOf(`${path}#2`)) === 'again 1\nagain 2\n');
    put(`${path}.new`, 'third\n');
    renameSync(`${path}.new`, path);
    await until(async () => (await textOf(`${path}#3`)) === 'third\n');
    appendFileSync(path, 'more\n');
    await until(async () => (await textOf(`${path}#3`)) === 'third\nmore\n');
    expect(await textOf(path)).toBe('one\n');
  });

  test('begins before the agent has made its first folder', async () => {
    await start({ ...options, pollMs: 10 });
    const path = put(sessionFile(1), 'one\n');
    await until(async () => (await textOf(path)) === 'one\n');
  });
});

describe('a watch', () => {
  test('has a file while it is written, and gives it free when it is quiet or at the end', async () => {
    const path = put(sessionFile(1), 'one\n');
    const other = await scratch.open();
    const isFree = async (): Promise<boolean> =>
      other.record.claim(streamOf(path), { kind: 'transcript' }).then(
        async (lease) => {
          await lease.release();
          return true;
        },
        () => false,
      );
    let now = Date.now();
    await start({ pollMs: 10, quietMs: 1000, clock: () => now });
    appendFileSync(path, 'two\n');
    await until(async () => (await textOf(path)) === 'one\ntwo\n');
    expect(await isFree()).toBe(false);
    now += 2000;
    await until(isFree);
    appendFileSync(path, 'three\n');
    await until(async () => (await textOf(path)) === 'one\ntwo\nthree\n');
    stop.abort();
    await watching;
    expect(await isFree()).toBe(true);
  });

  test('tells once that another process has a file, and takes it when that one is done', async () => {
    const path = put(sessionFile(1), 'one\n');
    const other = await scratch.open();
    const lease = await other.record.claim(streamOf(path), { kind: 'transcript' });
    const problems: Problem[] = [];
    let rounds = 0;
    await start({
      pollMs: 10,
      onProblem: (problem) => problems.push(problem),
      everyRound: async () => {
        rounds++;
      },
    });
    await until(() => rounds > 5);
    expect(problems.filter(({ code }) => code === 'busy').length).toBeLessThanOrEqual(2);
    expect(problems).toContainEqual(expect.objectContaining({ path, code: 'busy' }));
    await lease.release();
    await until(async () => (await textOf(path)) === 'one\n');
  });

  test('waits a moment for the file that tells whose sub-agent it is', async () => {
    put(sessionFile(1), 'one\n');
    let rounds = 0;
    await start({
      pollMs: 10,
      everyRound: async () => {
        rounds++;
      },
    });
    const agent = put(join(projects, '-home', idOf(1), 'subagents/agent-a.jsonl'), 'sub-agent\n');
    const before = rounds;
    await until(() => rounds > before + 5);
    expect(await record.stream(streamOf(agent))).toBeUndefined();
    put(agent.replace('.jsonl', '.meta.json'), '{"toolUseId":"t"}');
    await until(async () => (await textOf(agent)) === 'sub-agent\n');
    expect((await record.stream(streamOf(agent)))?.about).toEqual({ toolUseId: 't' });
  });

  test('follows a single file too', async () => {
    const path = put(join(scratch.folder, 'one.jsonl'), 'one\n');
    await start({ dir: path, pollMs: 10 });
    appendFileSync(path, 'two\n');
    const stream = `transcript:unknown:${path}`;
    await until(async () => (await bytesOf(record, stream)).toString() === 'one\ntwo\n');
  });
});
