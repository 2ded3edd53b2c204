// The open database. Statements of better-sqlite3 run at once and stop the process while they do; so a transaction is one
// synchronous piece of work (see transaction.ts) and is never open across an `await`: another part of the process would
// find itself inside it. For the same reason no `iterate()` goes on across an `await`. Kysely is for single statements.

import type BetterSqlite3 from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { HistorySchema } from './history/schema.ts';
import type { RecordSchema } from './schema.ts';

/** All tables. */
export type Schema = RecordSchema & HistorySchema;

export interface Connection {
  readonly raw: BetterSqlite3.Database;
  readonly db: Kysely<Schema>;
  /** Where it is, as an absolute path. */
  readonly file: string;
  readonly readOnly: boolean;
  close(): void;
}
