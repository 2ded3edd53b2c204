import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { counts } from '../../../../proof/counts.ts';
import { describeRecord } from '../suite/record-suite.ts';
import { settleEpoch } from './epoch.ts';
import { openConnection } from './open.ts';
import { createRecord } from './record.ts';

describeRecord({
  test: (name, run) => test(name, run),
  schedules: counts.writerSchedules,
  async make() {
    const folder = mkdtempSync(join(tmpdir(), 'tailrace-record-'));
    return {
      async open() {
        const connection = await openConnection({ file: join(folder, 'tailrace.db') });
        await settleEpoch(connection);
        const record = createRecord(connection);
        return {
          record,
          async close() {
            await record.close();
            connection.close();
          },
        };
      },
      async remove() {
        rmSync(folder, { recursive: true });
      },
    };
  },
});

test('a repeat is acknowledged with a commit of its own, which syncs what a process left that died before it could', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-repeat-'));
  const file = join(folder, 'tailrace.db');
  const connection = await openConnection({ file });
  // The clock stands: a row that is as it was would be no commit at all.
  const record = createRecord(connection, { now: () => 1 });
  await record.claim('run', { kind: 'run' });
  const lines = [{ at: 1, source: 'stdout' as const, bytes: new Uint8Array(5) }];
  await record.append('run', 1, lines);
  const other = new BetterSqlite3(file, { readonly: true });
  const before = other.pragma('data_version', { simple: true });
  await record.append('run', 1, lines);
  expect(other.pragma('data_version', { simple: true })).not.toBe(before);
  other.close();
  connection.close();
  rmSync(folder, { recursive: true });
});

test('a hole that a repair has left can be filled by handing the lines in again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-fill-'));
  const connection = await openConnection({ file: join(folder, 'tailrace.db') });
  const record = createRecord(connection);
  await record.claim('run', { kind: 'run' });
  const lines = [1, 2, 3, 4].map((size) => ({ at: 1, source: 'stdout' as const, bytes: new Uint8Array(size) }));
  await record.append('run', 1, lines);
  connection.raw.prepare('DELETE FROM lines WHERE seq IN (2, 3)').run();
  await record.append('run', 1, lines);
  const sizes: number[] = [];
  for await (const piece of record.read('run')) sizes.push(...piece.map(({ bytes }) => bytes.length));
  expect(sizes).toEqual([1, 2, 3, 4]);
  connection.close();
  rmSync(folder, { recursive: true });
});
