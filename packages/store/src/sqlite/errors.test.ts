import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { StoreError } from '../errors.ts';
import { isBusy, toStoreError } from './errors.ts';
import { openConnection } from './open.ts';
import { createRecord } from './record.ts';

test.each([
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_BUSY_SNAPSHOT', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR_FSYNC', 'io'],
  ['SQLITE_CANTOPEN', 'io'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_CORRUPT_INDEX', 'corrupt'],
  ['SQLITE_NOTADB', 'corrupt'],
  ['SQLITE_READONLY_DIRECTORY', 'read-only'],
  ['SQLITE_TOOBIG', 'refused'],
])('%s is told as %s', (code, expected) => {
  const error = new BetterSqlite3.SqliteError('what SQLite says', code);
  const told = toStoreError(error, '/home/tailrace.db');
  expect(told).toBeInstanceOf(StoreError);
  expect(told).toMatchObject({ code: expected, cause: error, message: expect.stringContaining('/home/tailrace.db') });
  expect(isBusy(error)).toBe(expected === 'busy');
});

test.each([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EIO', 'io'],
  ['EROFS', 'read-only'],
])('%s of the disk is told as %s', (code, expected) => {
  const error = Object.assign(new Error(`${code}: what the system says`), { code });
  expect(toStoreError(error, '/home/tailrace.db')).toMatchObject({ name: 'StoreError', code: expected, cause: error });
});

test('what is not from SQLite or the disk, or a mistake of ours, stays what it is', () => {
  for (const error of [
    new TypeError('x'),
    new BetterSqlite3.SqliteError('syntax', 'SQLITE_ERROR'),
    'text',
    undefined,
  ]) {
    expect(toStoreError(error)).toBe(error);
    expect(isBusy(error)).toBe(false);
  }
});

test('while another process writes, the queue waits without stopping this one, then gives up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tailrace-busy-'));
  const file = join(folder, 'tailrace.db');
  const connection = await openConnection({ file });
  const other = new BetterSqlite3(file);
  connection.raw.pragma('busy_timeout = 0');
  let time = 0;
  let pauses = 0;
  let whenPaused = (): void => {};
  const record = createRecord(connection, {
    now: () => time,
    waitMs: 1000,
    pause: async (milliseconds) => {
      time += milliseconds;
      pauses++;
      whenPaused();
    },
  });
  await record.claim('run', { kind: 'run' });
  const line = { at: 1, source: 'stdout' as const, bytes: new Uint8Array(1) };
  other.exec('BEGIN IMMEDIATE');
  await expect(record.append('run', 1, [line])).rejects.toMatchObject({ code: 'busy' });
  expect(pauses).toBe(1000 / 20);
  // It comes through as soon as the other one is done, and in its order.
  const both = [record.append('run', 1, [line]), record.append('run', 2, [line])];
  pauses = 0;
  whenPaused = () => {
    if (pauses === 3) other.exec('ROLLBACK');
  };
  const [first = 0, second = 0] = await Promise.all(both);
  expect(second).toBeGreaterThan(first);
  other.close();
  connection.close();
  rmSync(folder, { recursive: true });
});
