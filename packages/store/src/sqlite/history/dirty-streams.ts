// Which streams have lines that are not taken up yet, and which session each of them belongs to.

import { findSession } from '../../project/belonging.ts';
import { decoderOf } from '../../project/fold-session.ts';
import type { Connection } from '../connection.ts';
import type { SessionLines } from './session-lines.ts';

export interface DirtyStreams {
  /** Gives every stream that has something new its session. To be called by whoever has the turn. */
  find(range: { readonly position: number; readonly target: number; readonly isAll: boolean }): Promise<Work>;
}

export interface Work {
  /** Sessions that have to be looked at: those that have lost a stream first. */
  readonly sessions: readonly string[];
  /** Where the streams of a session went that had only a made-up name. */
  readonly moves: ReadonlyMap<string, string>;
  /** Lines that are not taken up yet. */
  readonly lines: number;
}

/** Up to this many new lines, the streams are found by them; over it, by looking at every stream. */
const FEW_LINES = 20_000;

interface DirtyRow {
  readonly id: number;
  readonly name: string;
  readonly agent: string | null;
  readonly about: string | null;
  readonly session_id: string | null;
  readonly session: string | null;
  readonly next_seq: number;
  readonly made_for: string | null;
  readonly is_told: number | null;
  readonly made_seq: number | null;
  readonly made_version: string | null;
}

export function createDirtyStreams(
  { raw }: Connection,
  lines: SessionLines,
  version: string,
  inTurn: (work: () => void) => Promise<void>,
): DirtyStreams {
  const dirty = `SELECT s.id, s.name, s.agent, s.about, s.session_id, s.session, s.next_seq,
      p.session AS made_for, p.is_told, p.seq AS made_seq, p.version AS made_version
    FROM streams s LEFT JOIN projected_streams p ON p.stream = s.id
    WHERE s.next_seq > 1 AND (p.stream IS NULL OR p.version <> :version OR p.seq < s.next_seq - 1
      OR p.session IS NOT s.session OR (s.session_id IS NOT NULL AND s.session_id IS NOT s.session))`;
  const all = raw.prepare<{ version: string }, DirtyRow>(`${dirty} ORDER BY s.id`);
  const some = raw.prepare<{ version: string; position: number }, DirtyRow>(
    `${dirty} AND s.id IN (SELECT DISTINCT stream FROM lines WHERE position > :position) ORDER BY s.id`,
  );
  const assign = raw.prepare('UPDATE streams SET session = ? WHERE id = ?');
  const note = raw.prepare(
    `INSERT INTO projected_streams (stream, session, is_told, seq, version) VALUES (?, '', ?, 0, '')
     ON CONFLICT (stream) DO UPDATE SET is_told = excluded.is_told`,
  );

  function belongingOf(row: DirtyRow, target: number): { readonly session: string; readonly isTold: boolean } {
    if (row.session_id !== null) return { session: row.session_id, isTold: true };
    const isKnown = row.is_told === 1 && row.made_version === version && row.session !== null;
    if (isKnown && row.session !== null) return { session: row.session, isTold: true };
    const about = row.about === null ? undefined : (JSON.parse(row.about) as unknown);
    const decoder = decoderOf({ agent: row.agent ?? undefined, about });
    return findSession(lines.read([{ id: row.id, name: row.name, fromSeq: 1 }], target), decoder, row.name);
  }

  return {
    async find({ position, target, isAll }) {
      const isFew = !isAll && target - position <= FEW_LINES;
      const changed = isFew ? some.all({ version, position }) : all.all({ version });
      const rows = changed.filter(({ id }) => (lines.firstPosition(id, 1) ?? Number.POSITIVE_INFINITY) <= target);
      const lost = new Set<string>();
      const found = new Set<string>();
      const moves = new Map<string, string>();
      let count = 0;
      for (const piece of piecesOf(rows)) {
        const belongings = piece.map((row) => ({ row, ...belongingOf(row, target) }));
        await inTurn(() => {
          for (const { row, session, isTold } of belongings) {
            if (row.session !== session) assign.run(session, row.id);
            note.run(row.id, isTold ? 1 : 0);
          }
        });
        for (const { row, session } of belongings) {
          found.add(session);
          const isSame = row.made_version === version && row.made_for === session;
          count += row.next_seq - 1 - (isSame ? (row.made_seq ?? 0) : 0);
          if (!row.made_for || row.made_for === session) continue;
          lost.add(row.made_for);
          if (row.is_told === 0) moves.set(row.made_for, session);
        }
      }
      return { sessions: [...new Set([...lost, ...found])], moves, lines: count };
    },
  };
}

const PIECE = 500;

function* piecesOf<T>(rows: readonly T[]): Generator<readonly T[], void> {
  for (let at = 0; at < rows.length; at += PIECE) yield rows.slice(at, at + PIECE);
}
