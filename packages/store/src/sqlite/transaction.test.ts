import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { openConnection } from './open.ts';
import { write } from './transaction.ts';

let folder = '';
let connection: Connection;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-transaction-'));
  connection = await openConnection({ file: join(folder, 'data/tailrace.db') });
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const FULL = 2;
const setting = (): unknown => connection.raw.pragma('synchronous', { simple: true });

test('what need not be durable waits for no disk, and what comes after it does again', async () => {
  expect(setting()).toBe(FULL);
  expect(await write(connection, setting, { isDurable: false })).toBe(1);
  expect(setting()).toBe(FULL);
  expect(await write(connection, setting)).toBe(FULL);
});

test('also when the work fails', async () => {
  const fail = (): never => {
    throw new Error('no');
  };
  await expect(write(connection, fail, { isDurable: false })).rejects.toThrow('no');
  expect(setting()).toBe(FULL);
  expect(connection.raw.inTransaction).toBe(false);
});
