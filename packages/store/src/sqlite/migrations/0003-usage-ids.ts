// Which sessions have the same answer: a fork has those of the session it was made from.

import { type Kysely, type Migration, sql } from 'kysely';

export const usageIds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('CREATE INDEX usage_by_id ON usage_entries (id)').execute(db);
  },
};
