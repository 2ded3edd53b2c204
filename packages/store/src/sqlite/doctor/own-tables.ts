// Tables that are not made of the record: they cannot be made anew, so as much of them as can be read comes along.

import type BetterSqlite3 from 'better-sqlite3';

const OWN_TABLES = ['labels', 'tags', 'session_metadata', 'session_runs', 'forgotten'];

/** Copies row by row what can be read; gives the names of the tables that could not be read to their end. */
export function copyOwnTables(
  from: BetterSqlite3.Database | undefined,
  into: BetterSqlite3.Database,
): readonly string[] {
  return OWN_TABLES.filter((table) => !copyTable(from, into, table));
}

function copyTable(from: BetterSqlite3.Database | undefined, into: BetterSqlite3.Database, table: string): boolean {
  try {
    if (from === undefined) return false;
    // A store of an earlier version has not all of them yet.
    if (from.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) === undefined) return true;
    const columns = columnsOf(from, table).filter((name) => columnsOf(into, table).includes(name));
    const list = columns.join(', ');
    const insert = into.prepare(
      `INSERT OR IGNORE INTO ${table} (${list}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of from.prepare<[], unknown[]>(`SELECT ${list} FROM ${table}`).raw().iterate()) insert.run(...row);
    return true;
  } catch {
    return false;
  }
}

function columnsOf(raw: BetterSqlite3.Database, table: string): readonly string[] {
  return raw.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
}
