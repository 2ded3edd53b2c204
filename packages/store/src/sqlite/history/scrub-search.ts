// A text that is deleted is no longer found, but its words stay in the index until that is merged. Forgetting has to do that at
// once; on a large store it takes seconds, so it is done in small steps between which others may write.

import { setImmediate as breathe } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { write } from '../transaction.ts';

const NEEDED = 'search_to_scrub';
/** Pages of the index that one step writes. */
const STEP_PAGES = 500;

/** Notes that something was forgotten, inside a transaction that is open: whoever comes next does it, should this process die. */
export function noteScrub({ raw }: Connection): void {
  raw.prepare("INSERT INTO meta (key, value) VALUES (?, '1') ON CONFLICT (key) DO NOTHING").run(NEEDED);
}

/** Takes the words of what was forgotten out of the file. Does nothing where nothing was. */
export async function scrubSearch(connection: Connection): Promise<void> {
  const { raw } = connection;
  const isNeeded = raw.prepare<[string]>('SELECT 1 FROM meta WHERE key = ?');
  const changes = raw.prepare<[], number>('SELECT total_changes()').pluck();
  if (!isNeeded.get(NEEDED)) return;
  for (const table of ['search', 'term_parts']) {
    const merge = raw.prepare<[number]>(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`);
    // Less than nothing: all pieces of the index become one; the steps after it go on with that.
    for (let pages = -STEP_PAGES; ; pages = STEP_PAGES) {
      const done = await write(connection, () => {
        const before = changes.get() ?? 0;
        merge.run(pages);
        // The statement itself counts as one.
        return (changes.get() ?? 0) - before < 2;
      });
      if (done) break;
      await breathe();
    }
  }
  await write(connection, () => raw.prepare('DELETE FROM meta WHERE key = ?').run(NEEDED));
}
