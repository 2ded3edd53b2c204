// The agent's own files, laid out as it lays them out, taken into a real store.

import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { bytesOf, createScratch, fixtures, layOut, type Scratch } from '../../test/transcripts/scratch.ts';
import type { LineRecord } from '../contract.ts';
import { StoreError } from '../errors.ts';
import { importTranscripts } from './import.ts';

let scratch: Scratch;
let home = '';
let record: LineRecord;
beforeEach(async () => {
  scratch = createScratch();
  home = join(scratch.folder, 'home');
  record = (await scratch.open()).record;
});
afterEach(() => scratch.remove());

const env = (): Record<string, string> => ({ HOME: home });
const streamOf = (path: string): string => `transcript:claude:${path}`;

describe('an import', () => {
  test('keeps every file of every recorded session, byte for byte', async () => {
    const names = readdirSync(fixtures).flatMap((name) => (name.endsWith('.meta.json') ? [name.slice(0, -10)] : []));
    const paths = new Set<string>();
    for (const name of names) {
      if (!existsSync(`${fixtures}${name}.transcript.jsonl`)) continue;
      // Runs of one session share a file: each has a folder of its own here.
      for (const path of layOut(join(home, name), name)) paths.add(path);
    }
    const sessions = [...paths].filter((path) => /\/[0-9a-f-]{36}\.jsonl$/.test(path));
    const subagents = [...paths].filter((path) => /agent-[^/]*\.jsonl$/.test(path));
    expect([sessions.length > 80, subagents.length > 15]).toEqual([true, true]);
    let [files, fresh] = [0, 0];
    for (const name of readdirSync(home)) {
      const report = await importTranscripts(record, { env: { HOME: join(home, name) } });
      expect(report.problems).toEqual([]);
      files += report.files;
      fresh += report.newSessions;
    }
    expect([files, fresh]).toEqual([sessions.length + subagents.length, sessions.length]);
    for (const path of [...sessions, ...subagents])
      expect((await bytesOf(record, streamOf(path))).equals(readFileSync(path))).toBe(true);
    for (const path of subagents) {
      const about = JSON.parse(readFileSync(path.replace('.jsonl', '.meta.json'), 'utf8'));
      const [, sessionId] = /\/([0-9a-f-]{36})\/subagents\//.exec(path) ?? [];
      expect(await record.stream(streamOf(path))).toMatchObject({
        kind: 'transcript',
        agent: 'claude',
        path,
        about,
        sessionId,
      });
    }
  });

  test('that was broken off in the middle of a large file goes on with it', async () => {
    const [path = ''] = layOut(home, 'basic-text').filter((one) => one.endsWith('.jsonl'));
    const line = `${JSON.stringify({ type: 'summary', text: 'x'.repeat(1000) })}\n`;
    appendFileSync(path, line.repeat(5000));
    // Claim, first piece, then the end of the process.
    await expect(importTranscripts(breakingAt(record, 2, false, 'io'), { env: env(), sideBySide: 1 })).rejects.toThrow(
      'broken',
    );
    const kept = (await bytesOf(record, streamOf(path))).length;
    expect([kept > 0, kept < readFileSync(path).length]).toEqual([true, true]);
    const report = await importTranscripts(record, { env: env() });
    expect(report).toMatchObject({ problems: [], unchanged: 0, waitingBytes: 0 });
    expect((await bytesOf(record, streamOf(path))).equals(readFileSync(path))).toBe(true);
    expect(await importTranscripts(record, { env: env() })).toMatchObject({ lines: 0, unchanged: 1, waitingBytes: 0 });
  });

  test('reads only what is new, and opens no file that nobody has written to', async () => {
    const [path = ''] = layOut(home, 'basic-text').filter((one) => one.endsWith('.jsonl'));
    const whole = readFileSync(path);
    truncateSync(path, whole.length - 5);
    const first = await importTranscripts(record, { env: env() });
    expect(first).toMatchObject({ files: 1, taken: 1, newSessions: 1, unchanged: 0, waitingFiles: 1, problems: [] });
    expect(first.bytes + first.waitingBytes).toBe(whole.length - 5);
    expect(await importTranscripts(record, { env: env() })).toMatchObject({
      files: 1,
      taken: 0,
      unchanged: 1,
      lines: 0,
      waitingBytes: first.waitingBytes,
    });
    appendFileSync(path, whole.subarray(-5));
    expect(await importTranscripts(record, { env: env() })).toMatchObject({
      taken: 1,
      lines: 1,
      newSessions: 0,
      waitingFiles: 0,
    });
    expect((await bytesOf(record, streamOf(path))).equals(whole)).toBe(true);
  });

  test('begins a new stream for a file in the place of another, and keeps the old lines', async () => {
    const [path = ''] = layOut(home, 'basic-text').filter((one) => one.endsWith('.jsonl'));
    const old = readFileSync(path);
    await importTranscripts(record, { env: env() });
    for (const [generation, name] of [
      [2, 'thinking'],
      [3, 'unicode'],
    ] as const) {
      const other = readFileSync(`${fixtures}${name}.transcript.jsonl`);
      writeFileSync(`${path}.new`, other.subarray(0, other.length - 9));
      renameSync(`${path}.new`, path);
      expect((await importTranscripts(record, { env: env() })).taken).toBe(1);
      appendFileSync(path, other.subarray(-9));
      expect(await importTranscripts(record, { env: env() })).toMatchObject({ taken: 1, lines: 1 });
      expect((await bytesOf(record, `${streamOf(path)}#${generation}`)).equals(other)).toBe(true);
    }
    expect((await bytesOf(record, streamOf(path))).equals(old)).toBe(true);
    rmSync(path);
    expect(await importTranscripts(record, { env: env() })).toMatchObject({ files: 0, problems: [] });
  });

  test('takes a folder of transcripts, the folder above it, one project, and one file', async () => {
    const [path = ''] = layOut(home, 'subagents-two').filter((one) => /[0-9a-f-]{36}\.jsonl$/.test(one));
    const project = dirname(path);
    const dirs: readonly (readonly [string, number])[] = [
      [join(home, '.claude'), 3],
      [dirname(project), 3],
      [project, 3],
      [path, 1],
    ];
    for (const [dir, files] of dirs) {
      const { folder, open, remove } = createScratch();
      const one = (await open()).record;
      const report = await importTranscripts(one, { dir, env: { HOME: folder } });
      expect(report).toMatchObject({ files, taken: files, newSessions: 1, problems: [] });
      expect((await one.stream(streamOf(path)))?.sessionId).toBe(basename(path, '.jsonl'));
      await remove();
    }
    const odd = join(scratch.folder, 'any # name.txt');
    copyFileSync(path, odd);
    expect(await importTranscripts(record, { dir: odd })).toMatchObject({ files: 1, taken: 1 });
    const name = `transcript:unknown:${scratch.folder}/any %23 name.txt`;
    expect((await bytesOf(record, name)).equals(readFileSync(path))).toBe(true);
    await expect(importTranscripts(record, { dir: join(home, 'nowhere') })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await importTranscripts(record, { env: { HOME: join(home, 'nowhere') } })).toMatchObject({ files: 0 });
  });

  test('honours the variable that names another place', async () => {
    layOut(home, 'basic-text');
    renameSync(join(home, '.claude'), join(scratch.folder, 'elsewhere'));
    const report = await importTranscripts(record, {
      env: { HOME: home, CLAUDE_CONFIG_DIR: join(scratch.folder, 'elsewhere') },
    });
    expect(report).toMatchObject({ files: 1, taken: 1 });
  });

  test('finds in the session what an older version kept in no file of its own', async () => {
    const paths = layOut(home, 'subagent');
    const [session = ''] = paths.filter((path) => /[0-9a-f-]{36}\.jsonl$/.test(path));
    const [agent = ''] = paths.filter((path) => /agent-[^/]*\.jsonl$/.test(path));
    const about = JSON.parse(readFileSync(agent.replace('.jsonl', '.meta.json'), 'utf8'));
    const old = join(dirname(session), basename(agent));
    renameSync(agent, old);
    rmSync(session.replace('.jsonl', ''), { recursive: true });
    await importTranscripts(record, { env: env() });
    const stream = await record.stream(streamOf(old));
    expect(stream).toMatchObject({
      about: { toolUseId: about.toolUseId, agentType: about.agentType },
    });
  });

  test('leaves a file alone that another process is at, and a session that was forgotten', async () => {
    const paths = layOut(home, 'subagent').filter((path) => path.endsWith('.jsonl'));
    const [session = ''] = paths.filter((path) => /[0-9a-f-]{36}\.jsonl$/.test(path));
    const lease = await record.claim(streamOf(session), { kind: 'transcript', path: session });
    const other = await scratch.open();
    expect(await importTranscripts(other.record, { env: env() })).toMatchObject({
      files: 2,
      taken: 1,
      problems: [{ path: session, code: 'busy' }],
    });
    await lease.release();
    const isForgotten = async (id: string): Promise<boolean> => id === basename(session, '.jsonl');
    expect(await importTranscripts(record, { env: env(), isForgotten })).toMatchObject({ taken: 0, forgotten: 2 });
  });

  test('stops when it is told to, and goes on the next time', async () => {
    const stop = new AbortController();
    for (const name of ['basic-text', 'thinking', 'unicode']) layOut(home, name);
    const options = { env: env(), sideBySide: 1, signal: stop.signal, onFile: () => stop.abort() };
    expect(await importTranscripts(record, options)).toMatchObject({ files: 1, isStopped: true });
    expect(await importTranscripts(record, { env: env() })).toMatchObject({
      files: 3,
      taken: 2,
      unchanged: 1,
      isStopped: false,
    });
  });
});

describe('an import that breaks off', () => {
  test('anywhere, at a call of the record that does or does not take place, ends with each line once', async () => {
    const contents = ['basic-text', 'thinking', 'unicode'].map((name) =>
      readFileSync(`${fixtures}${name}.transcript.jsonl`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ call: fc.nat(12), isDone: fc.boolean(), kind: fc.constantFrom('io', 'EIO', 'crash') }), {
          maxLength: 6,
        }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
        async (breaks, growth) => {
          const { folder, open, remove } = createScratch();
          const project = join(folder, 'home/.claude/projects/-home-dev');
          mkdirSync(project, { recursive: true });
          const files = contents.map((bytes, index) => ({
            bytes,
            path: join(project, `0000000${index}-0000-4000-8000-000000000000.jsonl`),
          }));
          let store = await open();
          try {
            for (const part of [...growth.sort(), 1]) {
              for (const { path, bytes } of files)
                writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * part)));
              for (const { call, isDone, kind } of breaks) {
                const options = { env: { HOME: join(folder, 'home') }, sideBySide: 2 };
                await importTranscripts(breakingAt(store.record, call, isDone, kind), options).catch(() => {});
                // What a process that died leaves is a lease of nobody's; closing gives it back in the same way.
                if (kind === 'crash') {
                  await store.close();
                  store = await open();
                }
              }
              const report = await importTranscripts(store.record, { env: { HOME: join(folder, 'home') } });
              expect(report.problems).toEqual([]);
            }
            for (const { path, bytes } of files)
              expect((await bytesOf(store.record, streamOf(path))).equals(bytes)).toBe(true);
          } finally {
            await remove();
          }
        },
      ),
      { numRuns: counts.brokenImports },
    );
  });
});

/** A record whose Nth writing call fails, before or after it is done. */
function breakingAt(record: LineRecord, call: number, isDone: boolean, kind: string): LineRecord {
  let calls = 0;
  const failing = async <T>(run: () => Promise<T>): Promise<T> => {
    if (calls++ !== call) return run();
    if (isDone) await run();
    throw kind === 'EIO' ? Object.assign(new Error('broken'), { code: 'EIO' }) : new StoreError('io', 'broken');
  };
  return {
    ...record,
    // A lease that nobody was told of is given back only by the end of the process.
    claim: (...words) => (isDone && kind !== 'crash' ? record.claim(...words) : failing(() => record.claim(...words))),
    append: (...words) => failing(() => record.append(...words)),
  };
}
