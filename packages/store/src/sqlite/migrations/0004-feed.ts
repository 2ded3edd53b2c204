// What is needed to tell clients what is new, in one order over all sessions, and to know when something told is no longer so.

import { type Kysely, type Migration, sql } from 'kysely';

export const feed: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // How far everything is told: the last line, and behind it in small steps what no line told.
  'ALTER TABLE projection ADD COLUMN told REAL NOT NULL DEFAULT 0',
  // Of each session: the last line that told something, and a digest of all events up to it.
  'ALTER TABLE sessions ADD COLUMN told_last REAL NOT NULL DEFAULT 0',
  "ALTER TABLE sessions ADD COLUMN told_digest TEXT NOT NULL DEFAULT ''",
  `CREATE TABLE tellings (
    session TEXT NOT NULL,
    kind TEXT NOT NULL,
    told REAL NOT NULL,
    moved_to TEXT,
    PRIMARY KEY (session, kind)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX tellings_by_place ON tellings (told)',
  'CREATE INDEX events_by_last ON events (last, first, build)',
];
