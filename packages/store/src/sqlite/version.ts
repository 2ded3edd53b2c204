// Which SQLite, and which state of the file.

import type BetterSqlite3 from 'better-sqlite3';
import { StoreError } from '../errors.ts';
import { MIN_SQLITE_VERSION } from '../limits.ts';
import { migrations } from './migrations/index.ts';

/** Refuses a SQLite that can damage the file. */
export function checkSqliteVersion(version: string): void {
  if (isOlder(version, MIN_SQLITE_VERSION)) {
    throw new StoreError(
      'unavailable',
      `SQLite ${version} can damage the store; ${MIN_SQLITE_VERSION} or newer is needed. Install better-sqlite3 anew.`,
    );
  }
}

/** Which steps the file has gone through; none for an empty one. */
export function doneMigrations(raw: BetterSqlite3.Database): readonly string[] {
  const table = raw.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'kysely_migration'").get();
  return table === undefined
    ? []
    : raw.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all().map(String);
}

/** Refuses a file that a later version has changed: what it keeps there is not known here. */
export function checkNotNewer(done: readonly string[], file: string): void {
  const unknown = done.filter((name) => !Object.hasOwn(migrations, name));
  const later = unknown.find((name) => STEP.test(name));
  if (later !== undefined)
    throw new StoreError(
      'newer',
      `The store ${file} was made by a later version of tailrace (${later}). Update tailrace.`,
    );
  if (unknown.length > 0)
    throw new StoreError('corrupt', `The store ${file} does not know which version made it any more.`);
}

/** What a step is called, also in a version to come. */
const STEP = /^\d{4}-[a-z]/;

function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
