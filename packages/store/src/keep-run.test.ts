// Keeping a run: who waits for the disk, and what is told when it fails.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentStreamEvent, createSummary } from '@tailrace/core';
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from './contract.ts';
import { StoreError } from './errors.ts';
import { keepRun, type NumberedLine } from './keep-run.ts';
import { MAX_UNKEPT_BYTES } from './limits.ts';
import { openStore } from './open-store.ts';

async function createStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-keep-'));
  const store = await openStore({ file: join(folder, 'tailrace.db') });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

const line = (seq: number, size = 10): NumberedLine => ({
  seq,
  at: seq,
  source: 'stdout',
  bytes: Buffer.alloc(size, 97),
});
const options = (warnings: string[]) => ({
  runId: 'x',
  agent: 'claude',
  warn: (one: string) => void warnings.push(one),
});
const nothing = createSummary().summary(0);

test('lines are kept under the name of the run, and the right to write them is given back', async () => {
  const store = await createStore();
  let kept = 0;
  const keeper = keepRun(store, { ...options([]), onKept: () => void kept++ });
  keeper.keep([line(1), line(2)]);
  keeper.keep([]);
  keeper.keep([line(3)]);
  await keeper.settled();
  expect(kept).toBe(2);
  expect(await store.record.stream('run:x')).toMatchObject({ kind: 'run', agent: 'claude', nextSeq: 4 });
  await expect(store.record.claim('run:x', { kind: 'run' })).rejects.toMatchObject({ code: 'busy' });
  keeper.hear({ type: 'turn-start', seq: 0, turnId: 't', sessionId: 's' } as AgentStreamEvent);
  const { usage } = nothing;
  expect(await keeper.close({ ...nothing, usage: { ...usage, inputTokens: 7, outputTokens: 2 } })).toBe(true);
  expect(await store.metadata.get('s')).toMatchObject({ totalInputTokens: 7, totalOutputTokens: 2 });
  await (await store.record.claim('run:x', { kind: 'run' })).release();
});

test.each([
  [MAX_UNKEPT_BYTES - 1, false],
  [MAX_UNKEPT_BYTES, false],
  [MAX_UNKEPT_BYTES + 1, true],
])('with %i bytes on their way, whether somebody has to wait is %s', async (size, isWaited) => {
  const keeper = keepRun(await createStore(), options([]));
  keeper.keep([line(1)]);
  expect(keeper.keep([line(2, size - 10)]) instanceof Promise).toBe(isWaited);
  await keeper.settled();
  expect(keeper.keep([line(3)])).toBeUndefined();
  await keeper.close(nothing);
});

test('where the disk fails it is told once, and how many lines are missing at the end', async () => {
  const store = await createStore();
  const append = (): Promise<never> => Promise.reject(new StoreError('full', 'The disk is full.'));
  const warnings: string[] = [];
  const keeper = keepRun({ ...store, record: { ...store.record, append } }, options(warnings));
  keeper.keep([line(1), line(2)]);
  await keeper.settled();
  keeper.keep([line(3)]);
  await keeper.settled();
  expect(await keeper.close(nothing)).toBe(false);
  expect(warnings).toEqual(['this run is no longer kept: The disk is full.', '3 lines of this run are not kept']);
});

test('what whoever hears of it does wrong loses no line', async () => {
  const warnings: string[] = [];
  const onKept = (): never => {
    throw new Error('no');
  };
  const keeper = keepRun(await createStore(), { ...options(warnings), onKept });
  keeper.keep([line(1)]);
  expect(await keeper.close(nothing)).toBe(true);
  expect(warnings).toEqual(['no']);
});
