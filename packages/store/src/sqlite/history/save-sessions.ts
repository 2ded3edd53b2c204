// Writes sessions, many small ones at once and a large one in parts, and with them how far their streams are taken up.

import type { Summary } from '@tailrace/core';
import type { SessionHead } from '../../project/rows.ts';
import type { Connection } from '../connection.ts';
import type { StreamRow } from '../stream-row.ts';
import type { Known } from './known-sessions.ts';
import type { PackedChanges } from './pack.ts';
import type { Tellings } from './tellings.ts';
import type { RowWriter } from './write-rows.ts';

/** A session as it waits to be written. */
export interface Made {
  readonly session: string;
  readonly known: Known;
  readonly changes: PackedChanges;
  readonly head: SessionHead;
  readonly streams: readonly StreamRow[];
}

/** To be called in a transaction. */
export interface SessionSaver {
  /** Rows of a session that is too large to be written at once: they are shown when all are there. Gives their build. */
  part(session: string, known: Known, changes: PackedChanges, streams: readonly StreamRow[]): number | undefined;
  /**
   * Says what is now known of each; nothing of one that was forgotten meanwhile. `shares`: summaries of those, and of others, that
   * are other than their own lines tell.
   */
  save(made: readonly Made[], shares: ReadonlyMap<string, Summary>): readonly Partial<Known>[];
}

export function createSessionSaver(
  { raw }: Connection,
  rows: RowWriter,
  version: string,
  tellings: Tellings,
): SessionSaver {
  const advance = raw.prepare(
    `INSERT INTO projected_streams (stream, session, is_told, seq, version) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (stream) DO UPDATE SET session = excluded.session, seq = excluded.seq, version = excluded.version`,
  );
  const exists = raw.prepare<[number]>('SELECT 1 FROM streams WHERE id = ?');

  /** What was forgotten while it was read must not come back. */
  function isForgotten(streams: readonly StreamRow[]): boolean {
    return streams.some(({ id }) => exists.get(id) === undefined);
  }

  function saveOne({ session, known, changes, head, streams }: Made): Partial<Known> {
    if (isForgotten(streams)) return {};
    const build = known.build ?? rows.newBuild();
    if (known.isHidden) rows.keep(build);
    rows.changes(build, changes, streamIds(streams));
    const { folding, before } = known;
    const written = rows.head(session, build, { ...head, told: folding.told() }, known.written);
    if (before !== undefined && before !== folding.toldAtMark()) tellings.retold(session);
    if (head.isEnded) tellings.ended(session);
    else tellings.goesOn(session);
    for (const { id, next_seq: next } of streams) {
      // What does not count is taken up all the same.
      const seq = known.facts.has(id) ? (known.seqs.get(id) ?? 0) : next - 1;
      advance.run(id, session, seq, version);
    }
    return { build, written, isHidden: false };
  }

  return {
    part: (session, known, changes, streams) =>
      rows.batch(() => {
        if (isForgotten(streams)) return undefined;
        const build = known.build ?? rows.newBuild();
        if (known.build === undefined) rows.retire(build, session);
        rows.changes(build, changes, streamIds(streams));
        return build;
      }),
    save: (made, shares) =>
      rows.batch(() => {
        const saved = made.map(saveOne);
        for (const [session, summary] of shares) rows.figures(session, summary);
        return saved;
      }),
  };
}

function streamIds(streams: readonly StreamRow[]): (name: string) => number {
  const ids = new Map(streams.map(({ id, name }) => [name, id]));
  return (name) => ids.get(name) ?? 0;
}
