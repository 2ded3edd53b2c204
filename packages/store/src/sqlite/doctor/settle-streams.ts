// Which streams the lines that were saved belong to, and what is missing of each.

import type { Connection } from '../connection.ts';
import type { StreamRow } from '../stream-row.ts';
import type { Hole } from './hole.ts';

/** Writes the rows of the streams, after their lines. */
export function settleStreams(
  { raw }: Connection,
  found: ReadonlyMap<number, StreamRow>,
  stamp: string,
): { readonly holes: readonly Hole[]; readonly nameless: number } {
  const insert = raw.prepare(
    `INSERT INTO streams (id, name, kind, agent, session_id, path, about, cursor, next_seq, bytes, first_at, last_at)
     VALUES (:id, :name, :kind, :agent, :session_id, :path, :about, :cursor, :next_seq, :bytes, :first_at, :last_at)`,
  );
  const measure = raw.prepare<[number], Measured>(
    `SELECT coalesce(max(seq), 0) AS last, count(*) AS lines, coalesce(sum(length(bytes)), 0) AS bytes,
       min(at) AS first_at, max(at) AS last_at FROM lines WHERE stream = ?`,
  );
  const gaps = raw.prepare<[number], { from_seq: number; to_seq: number }>(
    `SELECT coalesce(before, 0) + 1 AS from_seq, seq - 1 AS to_seq
     FROM (SELECT seq, lag(seq) OVER (ORDER BY seq) AS before FROM lines WHERE stream = ?)
     WHERE seq > coalesce(before, 0) + 1`,
  );
  const withLines = raw.prepare<[], number>('SELECT DISTINCT stream FROM lines').pluck().all();
  const ids = [...new Set([...found.keys(), ...withLines])].sort((a, b) => a - b);
  const holes: Hole[] = [];
  let nameless = 0;

  raw.transaction(() => {
    for (const id of ids) {
      const row = found.get(id) ?? namelessStream(id, stamp);
      if (!found.has(id)) nameless++;
      const { last, bytes, first_at, last_at } = measure.get(id) ?? NOTHING;
      const missing = gaps.all(id).map(({ from_seq, to_seq }) => ({ fromSeq: from_seq, toSeq: to_seq }));
      if (row.next_seq > last + 1) missing.push({ fromSeq: last + 1, toSeq: row.next_seq - 1 });
      // A stream that has a source is left aside under another name: then its source is read again from its beginning, and
      // what was lost comes back as far as the source still has it.
      const isLeftAside = missing.length > 0 && row.cursor !== null;
      const name = isLeftAside ? `${row.name} (before the repair of ${stamp})` : row.name;
      insert.run({
        ...row,
        id,
        name,
        cursor: isLeftAside ? null : row.cursor,
        next_seq: last + 1,
        bytes,
        first_at: row.first_at ?? first_at,
        last_at: row.last_at ?? last_at,
      });
      holes.push(...missing.map((hole) => ({ stream: name, ...hole })));
    }
  })();
  return { holes, nameless };
}

interface Measured {
  readonly last: number;
  readonly bytes: number;
  readonly first_at: number | null;
  readonly last_at: number | null;
}

const NOTHING: Measured = { last: 0, bytes: 0, first_at: null, last_at: null };

function namelessStream(id: number, stamp: string): StreamRow {
  const nothing = {
    agent: null,
    session_id: null,
    path: null,
    about: null,
    cursor: null,
    first_at: null,
    last_at: null,
  };
  const lease = { lease_token: null, lease_pid: null, lease_start: null, lease_place: null, lease_at: null };
  return {
    id,
    name: `saved-${id} (repair of ${stamp})`,
    kind: 'run',
    ...nothing,
    next_seq: 1,
    bytes: 0,
    session: null,
    ...lease,
  };
}
