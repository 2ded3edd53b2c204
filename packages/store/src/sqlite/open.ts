// Opens the file: private, with the settings that the promises rest on, brought up to date.

import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { Kysely, Migrator } from 'kysely';
import { StoreError } from '../errors.ts';
import { BUSY_TIMEOUT_MS, WRITE_RETRY_MS, WRITE_WAIT_MS } from '../limits.ts';
import type { Connection, Schema } from './connection.ts';
import { ImmediateSqliteDialect } from './dialect.ts';
import { isBusy, toStoreError } from './errors.ts';
import { migrations } from './migrations/index.ts';
import type { OpenOptions } from './options.ts';
import { checkPrivateFiles, preparePrivateFiles, syncFolder } from './private-files.ts';
import { checkNotNewer, checkSqliteVersion, doneMigrations } from './version.ts';

/** Opens a store's database, makes it where there is none, and brings it up to date. */
export async function openConnection(options: OpenOptions): Promise<Connection> {
  const file = resolve(options.file);
  const readOnly = options.readOnly ?? false;
  // better-sqlite3 would cut the blanks off and open another file than the one that was checked.
  if (file !== file.trim()) throw new StoreError('refused', `A store's name cannot begin or end with a blank: ${file}`);
  let raw: BetterSqlite3.Database | undefined;
  try {
    if (readOnly) checkPrivateFiles(file);
    else preparePrivateFiles(file);
    raw = openRaw(file, readOnly);
    const connection = connect(raw, file, readOnly);
    checkSqliteVersion(options.sqliteVersion ?? String(raw.prepare('SELECT sqlite_version()').pluck().get()));
    await patiently(() => checkNotNewer(doneMigrations(connection.raw), file));
    await patiently(() => configure(connection, options.synchronous ?? 'FULL'));
    await patiently(() => bringUpToDate(connection));
    // The -wal file is there by now. SQLite syncs the folder for it, and takes no notice where that fails: all that is acknowledged from
    // here on would be in a file without a name.
    if (!readOnly) syncFolder(dirname(file));
    return connection;
  } catch (error) {
    raw?.close();
    throw toStoreError(error, file);
  }
}

function openRaw(file: string, readOnly: boolean): BetterSqlite3.Database {
  try {
    return new BetterSqlite3(file, { readonly: readOnly, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    if (toStoreError(error) !== error) throw error;
    // The native part was not built, or for another Node.
    throw new StoreError('unavailable', `History needs better-sqlite3, which does not load here: ${String(error)}`, {
      cause: error,
    });
  }
}

function connect(raw: BetterSqlite3.Database, file: string, readOnly: boolean): Connection {
  const db = new Kysely<Schema>({ dialect: new ImmediateSqliteDialect(raw) });
  return { raw, db, file, readOnly, close: () => void raw.close() };
}

/** Each setting is read back: SQLite takes a word it does not know without a sound. */
function configure({ raw, readOnly }: Connection, synchronous: 'FULL' | 'NORMAL'): void {
  if (!readOnly) expectPragma(raw, 'journal_mode', 'WAL', 'wal');
  expectPragma(raw, 'busy_timeout', BUSY_TIMEOUT_MS, BUSY_TIMEOUT_MS);
  // In write-ahead mode better-sqlite3 is built with NORMAL: acknowledged lines would not outlive a power cut.
  expectPragma(raw, 'synchronous', synchronous, synchronous === 'FULL' ? 2 : 1);
  expectPragma(raw, 'foreign_keys', 'ON', 1);
  expectPragma(raw, 'mmap_size', 0, 0);
  expectPragma(raw, 'trusted_schema', 'OFF', 0);
  // What was forgotten is not left lying in free pages.
  expectPragma(raw, 'secure_delete', 'ON', 1);
  expectPragma(raw, 'cell_size_check', 'ON', 1);
  expectPragma(raw, 'wal_autocheckpoint', 1000, 1000);
  // After a burst the -wal file is cut back to this.
  expectPragma(raw, 'journal_size_limit', 64 * 1024 * 1024, 64 * 1024 * 1024);
}

function expectPragma(raw: BetterSqlite3.Database, name: string, value: string | number, expected: unknown): void {
  raw.pragma(`${name} = ${value}`);
  const is = raw.pragma(name, { simple: true });
  if (is !== expected)
    throw new StoreError('unavailable', `SQLite does not take ${name} = ${value}: it is ${String(is)}.`);
}

async function bringUpToDate(connection: Connection): Promise<void> {
  const done = new Set(doneMigrations(connection.raw));
  if (Object.keys(migrations).every((name) => done.has(name))) return;
  if (connection.readOnly) {
    throw new StoreError(
      'read-only',
      `The store ${connection.file} has to be brought up to date first: open it for writing.`,
    );
  }
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const { error } = await new Migrator({ db: connection.db, provider }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Another process may be opening the same file, or making it. */
async function patiently(work: () => void | Promise<void>): Promise<void> {
  const until = Date.now() + WRITE_WAIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= until) throw error;
    }
    await wait(WRITE_RETRY_MS);
  }
}
