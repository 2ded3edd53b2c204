// Rows of a session → tables. Everything here is done inside a transaction of the caller's.

import type { LedgerEntry, Summary } from '@tailrace/core';
import type { Told } from '../../project/chunks.ts';
import type { SessionHead, TextRow } from '../../project/rows.ts';
import type { Connection } from '../connection.ts';
import type { PackedChanges } from './pack.ts';
import { createTextIndex, type IndexedText } from './text-index.ts';
import { countOf, folderName, wholeOf } from './values.ts';

export interface RowWriter {
  /**
   * Does the work in the caller's transaction. What is to be searched is written behind everything else, whatever the order
   * in which it was given.
   */
  batch<T>(work: () => T): T;
  /** A number for the rows of a session that is made anew. */
  newBuild(): number;
  changes(build: number, changes: PackedChanges, streamId: (name: string) => number): void;
  /** Writes what the session is as a whole, and shows this build. Gives the build that was shown before, if it is another. */
  head(
    id: string,
    build: number,
    head: SessionHead & { readonly told: Told },
    before: WrittenHead | undefined,
  ): WrittenHead;
  /** Writes other figures of a session that stays as it is. */
  figures(id: string, summary: Summary): void;
  /** The rows of this build are no longer needed, or not yet. */
  retire(build: number, session: string): void;
  /** They are needed after all. */
  keep(build: number): void;
  /** Takes the session out of the list, if it is there. Those that have something of it are looked at again. */
  drop(id: string): boolean;
  /** Deletes some rows of builds that are not needed, of one session or of any; false when there is nothing left to do. */
  sweep(session?: string): boolean;
}

/** What was written of the parts that change as a whole, so that only what is different is written again. */
export interface WrittenHead {
  readonly entries: readonly string[];
  readonly checkpoints: string;
}

const SWEPT_ROWS = 2_000;

export function createRowWriter(connection: Connection, version: string): RowWriter {
  const { raw } = connection;
  const texts = createTextIndex(connection);
  let added: IndexedText[] = [];
  let removed: { readonly build: number; readonly numbers: readonly number[] }[] = [];
  const nextBuild = raw
    .prepare<[], number>('UPDATE projection SET next_build = next_build + 1 WHERE id = 1 RETURNING next_build - 1')
    .pluck();
  const putMessage = raw.prepare(
    `INSERT OR REPLACE INTO messages (build, number, id, role, subagent_id, model, at, place, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const dropMessage = raw.prepare('DELETE FROM messages WHERE build = ? AND number = ?');
  const putCall = raw.prepare(
    `INSERT OR REPLACE INTO calls (build, id, name, kind, title, outcome, subagent_id, at, duration_ms, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const putFile = raw.prepare(
    `INSERT OR REPLACE INTO files (build, number, path, operation, tool_call_id, at, position)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const putChunk = raw.prepare(
    'INSERT OR REPLACE INTO events (build, last, first, version, packed, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const putCheckpoint = raw.prepare('INSERT INTO checkpoints (build, number, id, text, at) VALUES (?, ?, ?, ?, ?)');
  const dropCheckpoints = raw.prepare('DELETE FROM checkpoints WHERE build = ?');
  const putEntry = raw.prepare(
    `INSERT OR REPLACE INTO usage_entries (build, number, id, subagent_id, at, model, input_tokens, cache_read_tokens,
       cache_write_tokens, cache_write_1h_tokens, output_tokens, cost_usd, is_rest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const dropEntries = raw.prepare('DELETE FROM usage_entries WHERE build = ? AND number >= ?');
  const buildOf = raw.prepare<[string], number>('SELECT build FROM sessions WHERE id = ?').pluck();
  const putSession = raw.prepare(
    `INSERT OR REPLACE INTO sessions (id, build, version, agent, project, cwd, agent_title, first_prompt, model, models,
       outcome, started_at, ended_at, turns, usage, cost_usd, cost_state, lines, is_ended, summary, told_last, told_digest,
       last_text, files, subagents)
     VALUES (:id, :build, :version, :agent, :project, :cwd, :agentTitle, :firstPrompt, :model, :models,
       :outcome, :startedAt, :endedAt, :turns, :usage, :costUsd, :costState, :lines, :isEnded, :summary, :toldLast, :toldDigest,
       :lastText, :files, :subagents)`,
  );
  const putFigures = raw.prepare(
    'UPDATE sessions SET usage = ?, cost_usd = ?, cost_state = ?, summary = ? WHERE id = ?',
  );
  const reopenKin = raw.prepare(
    `UPDATE sessions SET is_ended = 0 WHERE build IN (SELECT k.build FROM usage_entries u
       CROSS JOIN usage_entries k ON k.id = u.id WHERE u.build = :build AND k.build <> :build)`,
  );
  const nameOf = raw.prepare<[string], string | null>('SELECT name FROM labels WHERE session_id = ?').pluck();
  const dropSession = raw.prepare('DELETE FROM sessions WHERE id = ?');
  const retire = raw.prepare('INSERT OR IGNORE INTO old_builds (build, session) VALUES (?, ?)');
  const keep = raw.prepare('DELETE FROM old_builds WHERE build = ?');
  const oldBuild = raw.prepare<[], number>('SELECT build FROM old_builds LIMIT 1').pluck();
  const oldBuildOf = raw.prepare<[string], number>('SELECT build FROM old_builds WHERE session = ? LIMIT 1').pluck();
  const sweeps = ['messages', 'calls', 'files', 'checkpoints', 'usage_entries'].map((table) =>
    raw.prepare(`DELETE FROM ${table} WHERE build = ?`),
  );
  const sweepEvents = raw.prepare(
    'DELETE FROM events WHERE rowid IN (SELECT rowid FROM events WHERE build = ? LIMIT 100)',
  );

  function writeEntries(build: number, entries: readonly LedgerEntry[], before: readonly string[]): readonly string[] {
    const written = entries.map((entry) => JSON.stringify(entry));
    entries.forEach(({ id, subagentId, time, model, usage, costUsd, isRest }, index) => {
      if (written[index] === before[index]) return;
      putEntry.run(
        build,
        index,
        id,
        subagentId ?? null,
        wholeOf(time),
        model ?? null,
        countOf(usage.inputTokens),
        countOf(usage.cacheReadTokens),
        countOf(usage.cacheWriteTokens),
        countOf(usage.cacheWrite1hTokens),
        countOf(usage.outputTokens),
        costUsd ?? null,
        isRest ? 1 : 0,
      );
    });
    if (written.length < before.length) dropEntries.run(build, written.length);
    return written;
  }

  function writeCheckpoints(build: number, { checkpoints }: SessionHead, before: string | undefined): string {
    const written = JSON.stringify(checkpoints);
    if (written === before) return written;
    if (before !== undefined) dropCheckpoints.run(build);
    checkpoints.forEach(({ id, text, at }, index) => {
      putCheckpoint.run(build, index, id, text, wholeOf(at));
    });
    return written;
  }

  return {
    batch(work) {
      added = [];
      removed = [];
      const result = work();
      for (const { build, numbers } of removed) texts.remove(build, numbers);
      if (added.length > 0) texts.add(added);
      added = [];
      return result;
    },
    newBuild: () => nextBuild.get() ?? 0,
    changes(build, changes, streamId) {
      for (const row of changes.messages) {
        const { number, id, role, subagentId, model, at, order, position } = row;
        putMessage.run(build, number, id, role, subagentId, model, wholeOf(at), order, position);
      }
      for (const number of changes.removedMessages) dropMessage.run(build, number);
      for (const row of changes.calls) {
        const { id, name, kind, title, outcome, subagentId, at, durationMs, position } = row;
        putCall.run(build, id, name, kind, title, outcome, subagentId, wholeOf(at), durationMs, position);
      }
      for (const { number, path, operation, toolCallId, at, position } of changes.files) {
        putFile.run(build, number, path, operation, toolCallId, wholeOf(at), position);
      }
      for (const { first, last, isPacked, data } of changes.chunks)
        putChunk.run(build, last, first, version, isPacked ? 1 : 0, data);
      if (changes.removedTexts.length > 0) removed.push({ build, numbers: changes.removedTexts });
      for (const row of changes.texts) added.push({ build, streamId: streamId(row.stream), row });
    },
    head(id, build, head, before) {
      const { summary } = head;
      const shown = buildOf.get(id);
      if (shown !== undefined && shown !== build) retire.run(shown, id);
      putSession.run({
        id,
        build,
        version,
        agent: summary.agent ?? 'unknown',
        project: head.cwd === null ? null : folderName(head.cwd),
        cwd: head.cwd,
        agentTitle: head.agentTitle,
        firstPrompt: head.firstPrompt,
        model: summary.model,
        models: [...new Set([...(summary.model === null ? [] : [summary.model]), ...Object.keys(summary.models)])].join(
          '\n',
        ),
        outcome: summary.outcome,
        startedAt: wholeOf(head.startedAt),
        endedAt: wholeOf(head.endedAt),
        turns: summary.turns,
        usage: JSON.stringify(summary.usage),
        costUsd: summary.costUsd,
        costState: summary.costState,
        lines: summary.lines.total,
        isEnded: head.isEnded ? 1 : 0,
        summary: JSON.stringify(summary),
        toldLast: head.told.last,
        toldDigest: head.told.digest,
        lastText: head.lastText,
        files: summary.filesChanged.length,
        subagents: summary.subagents.length,
      });
      if (shown !== build) {
        const name = nameOf.get(id);
        if (name) added.push({ build, streamId: 0, row: namedText(name, head.endedAt) });
      }
      return {
        entries: writeEntries(build, head.entries, before?.entries ?? []),
        checkpoints: writeCheckpoints(build, head, before?.checkpoints),
      };
    },
    figures: (id, summary) =>
      void putFigures.run(
        JSON.stringify(summary.usage),
        summary.costUsd,
        summary.costState,
        JSON.stringify(summary),
        id,
      ),
    retire: (build, session) => void retire.run(build, session),
    keep: (build) => void keep.run(build),
    drop(id) {
      const shown = buildOf.get(id);
      if (shown !== undefined) {
        reopenKin.run({ build: shown });
        retire.run(shown, id);
      }
      return dropSession.run(id).changes > 0;
    },
    sweep(session) {
      const build = session === undefined ? oldBuild.get() : oldBuildOf.get(session);
      if (build === undefined) return false;
      // The large ones in pieces, so that nobody waits long for the right to write.
      if (texts.removeSome(build, SWEPT_ROWS) > 0) return true;
      if (sweepEvents.run(build).changes > 0) return true;
      for (const one of sweeps) one.run(build);
      keep.run(build);
      return true;
    },
  };
}

/** The name that a person gave a session is found like a title of the agent's. It stands nowhere in the record. */
export function namedText(name: string, at: number | null): TextRow {
  return {
    number: NAME,
    kind: 'title',
    text: name,
    at,
    arrivedAt: at ?? 0,
    position: 0,
    stream: '',
    line: 0,
    message: null,
    messageId: null,
    toolCallId: null,
  };
}

/** The number of that text in its session. */
export const NAME = -1;
