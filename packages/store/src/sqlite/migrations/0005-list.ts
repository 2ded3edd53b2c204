// What a list of sessions shows beside their figures, so that no summary is read for it.

import { type Kysely, type Migration, sql } from 'kysely';

export const list: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'ALTER TABLE sessions ADD COLUMN last_text TEXT',
  'ALTER TABLE sessions ADD COLUMN files INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE sessions ADD COLUMN subagents INTEGER NOT NULL DEFAULT 0',
  // The summary is long, and has to be last: whatever stands behind it is read over all of its pages (50 times as slow for a list).
  'ALTER TABLE sessions RENAME COLUMN summary TO old_summary',
  "ALTER TABLE sessions ADD COLUMN summary TEXT NOT NULL DEFAULT ''",
  'UPDATE sessions SET summary = old_summary',
  'ALTER TABLE sessions DROP COLUMN old_summary',
];
