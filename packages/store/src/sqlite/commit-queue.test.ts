import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMIT_BYTES, COMMIT_LINES, READ_BYTES, READ_LINES } from '../limits.ts';
import type { AppendCall } from './append.ts';
import { createCommitQueue } from './commit-queue.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './open.ts';
import { createRecord } from './record.ts';

let folder: string;
let connection: Connection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-queue-'));
  connection = await openConnection({ file: join(folder, 'tailrace.db') });
});

afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

const shared = new Uint8Array(COMMIT_BYTES + 10);

/** How many calls each commit took, for calls with so many lines of so many bytes that are made together. */
async function commitsOf(calls: readonly (readonly [lines: number, bytes: number])[]): Promise<number[]> {
  const commits: number[] = [];
  const queue = createCommitQueue(connection, (batch) => {
    commits.push(batch.length);
    return batch.map(() => 1);
  });
  await Promise.all(
    calls.map(([count, size]) => {
      const line = { at: 1, source: 'stdout' as const, bytes: shared.subarray(0, size) };
      return queue.add({ lines: Array(count).fill(line) } as unknown as AppendCall);
    }),
  );
  return commits;
}

test('a commit takes what waits, up to its bytes', async () => {
  const half = COMMIT_BYTES / 2;
  expect(
    await commitsOf([
      [1, half],
      [1, half - 1],
      [1, 0],
    ]),
  ).toEqual([3]);
  expect(
    await commitsOf([
      [1, half],
      [1, half],
    ]),
  ).toEqual([2]);
  expect(
    await commitsOf([
      [1, half],
      [1, half + 1],
    ]),
  ).toEqual([1, 1]);
  // One call alone may have more: it is kept whole or not at all.
  expect(
    await commitsOf([
      [1, COMMIT_BYTES + 1],
      [1, 1],
    ]),
  ).toEqual([1, 1]);
});

test('a commit takes what waits, up to its lines', async () => {
  expect(
    await commitsOf([
      [COMMIT_LINES - 2, 0],
      [1, 0],
    ]),
  ).toEqual([2]);
  expect(
    await commitsOf([
      [COMMIT_LINES - 1, 0],
      [1, 0],
    ]),
  ).toEqual([2]);
  expect(
    await commitsOf([
      [COMMIT_LINES, 0],
      [1, 0],
    ]),
  ).toEqual([1, 1]);
});

test('others get their turn between two commits', async () => {
  const order: string[] = [];
  const queue = createCommitQueue(connection, (batch) => {
    order.push('commit');
    return batch.map(() => 1);
  });
  const call = { lines: [{ at: 1, source: 'stdout', bytes: shared }] } as unknown as AppendCall;
  const all = Promise.all([queue.add(call), queue.add(call)]);
  setImmediate(() => order.push('other'));
  await all;
  await queue.drained();
  expect(order).toEqual(['commit', 'other', 'commit']);
});

test('a piece that is read has so many bytes and lines, and no more', async () => {
  const record = createRecord(connection);
  const keep = async (name: string, sizes: readonly number[]) => {
    await record.claim(name, { kind: 'run' });
    await record.append(
      name,
      1,
      sizes.map((size) => ({ at: 1, source: 'stdout', bytes: shared.subarray(0, size) })),
    );
    const pieces: number[] = [];
    for await (const piece of record.read(name)) pieces.push(piece.length);
    return pieces;
  };
  expect(await keep('below', [READ_BYTES - 1, 5, 5])).toEqual([2, 1]);
  expect(await keep('at', [READ_BYTES, 5])).toEqual([1, 1]);
  expect(await keep('above', [READ_BYTES + 1, 5])).toEqual([1, 1]);
  expect(await keep('fewer', Array(READ_LINES - 1).fill(0))).toEqual([READ_LINES - 1]);
  expect(await keep('many', Array(READ_LINES).fill(0))).toEqual([READ_LINES]);
  expect(await keep('more', Array(READ_LINES + 1).fill(0))).toEqual([READ_LINES, 1]);
});
