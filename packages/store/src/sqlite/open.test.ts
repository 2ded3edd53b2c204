import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEpoch, settleEpoch } from './epoch.ts';
import { openConnection } from './open.ts';
import { createRecord } from './record.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tailrace-open-'));
  file = join(folder, 'tailrace.db');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the settings that the promises rest on are in force', async () => {
  const { raw, close } = await openConnection({ file });
  const pragma = (name: string) => raw.pragma(name, { simple: true });
  expect(
    Object.fromEntries(
      ['journal_mode', 'synchronous', 'foreign_keys', 'mmap_size'].map((name) => [name, pragma(name)]),
    ),
  ).toEqual({
    journal_mode: 'wal',
    synchronous: 2,
    foreign_keys: 1,
    mmap_size: 0,
  });
  expect([pragma('busy_timeout'), pragma('secure_delete'), pragma('trusted_schema')]).toEqual([250, 1, 0]);
  close();
});

test.each([
  ['3.51.2', false],
  ['3.50.9', false],
  ['2.99.99', false],
  ['3.51.3', true],
  ['3.51.10', true],
  ['3.53.2', true],
  ['4.0.0', true],
])('SQLite %s: trusted %s', async (sqliteVersion, isTrusted) => {
  const opening = openConnection({ file, sqliteVersion });
  if (isTrusted) (await opening).close();
  else await expect(opening).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('3.51.3') });
});

test('a file of a later version is refused and not touched', async () => {
  const { raw, close } = await openConnection({ file });
  raw.prepare("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-future', '2030-01-01')").run();
  close();
  const before = readFileSync(file);
  for (const readOnly of [false, true]) {
    await expect(openConnection({ file, readOnly })).rejects.toMatchObject({
      code: 'newer',
      message: expect.stringContaining('9999-future'),
    });
  }
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a file that is no database is called damaged, with the way out', async () => {
  writeFileSync(file, 'x'.repeat(10_000), { mode: 0o600 });
  await expect(openConnection({ file })).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringContaining('tailrace doctor --repair'),
  });
});

test('read-only: nothing is made, nothing can be written', async () => {
  await expect(openConnection({ file, readOnly: true })).rejects.toMatchObject({ code: 'io' });
  (await openConnection({ file })).close();
  const connection = await openConnection({ file, readOnly: true });
  await expect(createRecord(connection).claim('run', { kind: 'run' })).rejects.toMatchObject({ code: 'read-only' });
  connection.close();
});

test('many that open a new file at once find one store', async () => {
  const connections = await Promise.all(Array.from({ length: 4 }, () => openConnection({ file })));
  for (const connection of connections) await settleEpoch(connection);
  expect(new Set(connections.map(readEpoch)).size).toBe(1);
  for (const { close } of connections) close();
});

test('a file that was put here from elsewhere begins a new epoch', async () => {
  const epochOf = async (path: string) => {
    const connection = await openConnection({ file: path });
    await settleEpoch(connection);
    const epoch = readEpoch(connection);
    connection.close();
    return epoch;
  };
  const first = await epochOf(file);
  expect(await epochOf(file)).toBe(first);
  const copy = join(folder, 'copy.db');
  copyFileSync(file, copy);
  expect(await epochOf(copy)).not.toBe(first);
  expect(await epochOf(file)).toBe(first);
});

test('an error inside a transaction that SQLite has taken back by itself is told as it is', async () => {
  const { db, raw, close } = await openConnection({ file });
  const broken = db.transaction().execute(async () => {
    raw.exec('ROLLBACK');
    throw new Error('the disk is gone');
  });
  await expect(broken).rejects.toThrow('the disk is gone');
  close();
});
