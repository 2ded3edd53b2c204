// The record: streams and their lines.

import { type Kysely, type Migration, sql } from 'kysely';

/** Makes the tables of the record. */
export const record: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

// AUTOINCREMENT: the position of a line that was forgotten is never given to another one.
// `session` of a stream is set by the history: the session that its lines turned out to belong to.
const statements = [
  `CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE streams (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    agent TEXT,
    session_id TEXT,
    path TEXT,
    about TEXT,
    cursor TEXT,
    next_seq INTEGER NOT NULL DEFAULT 1,
    bytes INTEGER NOT NULL DEFAULT 0,
    first_at INTEGER,
    last_at INTEGER,
    session TEXT,
    lease_token TEXT,
    lease_pid INTEGER,
    lease_start TEXT,
    lease_place TEXT,
    lease_at INTEGER
  ) STRICT`,
  // The agent's own files may still hold a session that was forgotten: an import must not bring it back.
  `CREATE TABLE forgotten (
    session_hash TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX streams_by_session_id ON streams (session_id) WHERE session_id IS NOT NULL',
  'CREATE INDEX streams_by_session ON streams (session) WHERE session IS NOT NULL',
  'CREATE INDEX streams_by_path ON streams (path) WHERE path IS NOT NULL',
  'CREATE INDEX streams_by_lease ON streams (lease_token) WHERE lease_token IS NOT NULL',
  `CREATE TABLE lines (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    stream INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    source INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (stream, seq)
  ) STRICT`,
];
