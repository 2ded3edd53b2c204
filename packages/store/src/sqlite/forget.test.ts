import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { History, Metadata, SessionRow, Store } from '../contract.ts';
import { assembleStore } from './store.ts';

let folder: string;
let file: string;
let store: Store;
const forgottenHistory: string[] = [];
let rows: Partial<SessionRow>[] = [];

// What is made of the record has its own tests: here only what the store asks of it.
const open = () =>
  assembleStore({ file }, () => ({
    history: { sessions: async () => rows } as unknown as History,
    metadata: {} as Metadata,
    forget: (sessionId) => void forgottenHistory.push(sessionId),
    scrub: async () => undefined,
  }));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-forget-'));
  file = join(folder, 'tailrace.db');
  forgottenHistory.length = 0;
  rows = [];
  store = await open();
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function keep(name: string, sessionId: string, text: string, count = 200): Promise<() => Promise<void>> {
  const { release } = await store.record.claim(name, { kind: 'transcript', sessionId });
  const bytes = new Uint8Array(Buffer.from(`${text.repeat(30)}\n`));
  await store.record.append(
    name,
    1,
    Array.from({ length: count }, () => ({ at: 1, source: 'transcript' as const, bytes })),
  );
  return release;
}

const isLeft = (text: string) => ['', '-wal'].some((suffix) => readFileSync(file + suffix).includes(text));

test('a session goes with all its lines, and nothing of it is left in the files', async () => {
  await (await keep('one', 'a', 'planted-secret'))();
  await (await keep('two', 'b', 'other-words'))();
  await (await keep('three', 'a', 'planted-secret'))();
  const epoch = await store.epoch();
  const last = await store.record.last();
  expect(isLeft('planted-secret')).toBe(true);
  expect(await store.forget('a')).toEqual({ lines: 400, streams: 2 });
  expect(isLeft('planted-secret')).toBe(false);
  expect(isLeft('other-words')).toBe(true);
  expect(forgottenHistory).toEqual(['a']);
  expect(await store.epoch()).not.toBe(epoch);
  expect((await store.record.streams()).map(({ name }) => name)).toEqual(['two']);
  expect([await store.isForgotten('a'), await store.isForgotten('b')]).toEqual([true, false]);
  // No other line ever gets the position of one that was forgotten.
  await keep('four', 'c', 'new', 1);
  expect(await store.record.last()).toBe(last + 1);
});

test('a session that is being written is not forgotten', async () => {
  const release = await keep('one', 'a', 'text');
  await expect(store.forget('a')).rejects.toMatchObject({ code: 'busy' });
  expect((await store.record.stream('one'))?.nextSeq).toBe(201);
  expect(forgottenHistory).toEqual([]);
  await release();
  expect(await store.forget('a')).toEqual({ lines: 200, streams: 1 });
  expect(await store.forget('nobody')).toEqual({ lines: 0, streams: 0 });
});

test('who takes a forgotten session in again means it', async () => {
  await (await keep('one', 'a', 'text'))();
  await store.forget('a');
  await (await keep('one', 'a', 'text', 3))();
  expect(await store.isForgotten('a')).toBe(false);
});

test('the room of what was forgotten is given back', async () => {
  await (await keep('one', 'a', 'x'.repeat(100), 2000))();
  await (await keep('two', 'b', 'y', 10))();
  const before = await store.size();
  expect(before).toMatchObject({ lines: 2010, streams: 2, sessions: 2, lineBytes: 2000 * 3001 + 10 * 31 });
  await store.forget('a');
  const after = await store.size();
  expect(after.freeBytes).toBeGreaterThan(5_000_000);
  expect(after).toMatchObject({ lines: 10, streams: 1, sessions: 1, lineBytes: 310 });
  await store.vacuum();
  const small = await store.size();
  expect(small.freeBytes).toBe(0);
  expect(small.fileBytes).toBeLessThan(1_000_000);
  expect((await store.record.stream('two'))?.nextSeq).toBe(11);
});

test('what ended before a time is forgotten, but what has a star or is written stays', async () => {
  rows = [
    { id: 'late', startedAt: 5, endedAt: 20, starred: false },
    { id: 'starred', startedAt: 1, endedAt: 2, starred: true },
    { id: 'written', startedAt: 1, endedAt: 2, starred: false },
    { id: 'old', startedAt: 1, endedAt: 9, starred: false },
    { id: 'endless', startedAt: 3, endedAt: null, starred: false },
    { id: 'exact', startedAt: 3, endedAt: 10, starred: false },
    { id: 'timeless', startedAt: null, endedAt: null, starred: false },
  ];
  for (const { id = '' } of rows) {
    const release = await keep(id, id, 'text', 1);
    if (id !== 'written') await release();
  }
  expect(await store.forgetBefore(10)).toEqual(['old', 'endless']);
  const names = (await store.record.streams()).map(({ name }) => name);
  expect(names).toEqual(['late', 'starred', 'written', 'exact', 'timeless']);
});
