// What is made of the record, and how it is asked for.

import type { Summary } from '@tailrace/core';
import type { History, StoredCall, StoredCheckpoint, StoredFile } from '../../contract.ts';
import { StoreError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { toStoreError } from '../errors.ts';
import { write } from '../transaction.ts';
import { writeLabels } from './labels.ts';
import { listMessages } from './list-messages.ts';
import { findSessionRow, listSessions } from './list-sessions.ts';
import { createProjector, type ProjectorOptions } from './projector.ts';
import { readEvents, readLastEvents } from './read-events.ts';
import { readTidings } from './read-tidings.ts';
import { searchTexts } from './search.ts';
import { createTextIndex } from './text-index.ts';
import { listUsage, usageOfSessions } from './usage.ts';
import { readUsageNames } from './usage-names.ts';
import { NAME, namedText } from './write-rows.ts';

export type HistoryOptions = ProjectorOptions;

/** The history of a store on SQLite. */
export function createHistory(connection: Connection, options: HistoryOptions = {}): History {
  const { raw } = connection;
  const projector = createProjector(connection, options);
  const ofSession = 'JOIN sessions s ON s.build = x.build WHERE s.id = ?';

  return {
    sessionOf: (stream) => use(() => sessionOf(stream)),
    tidings: (after, sessions) => use(() => readTidings(connection, after, sessions)),
    catchUp: (given) => use(() => projector.catchUp(given)),
    rebuild: () => use(() => projector.rebuild()),
    sessions: (filter = {}) => use(async () => listSessions(connection, filter, await projector.written())),
    session: (id) => use(async () => findSessionRow(connection, id, await projector.written())),
    resolve: (beginning) => use(() => resolve(beginning)),
    messages: (id) => use(() => listMessages(connection, id)),
    calls: (id) =>
      use(() =>
        raw
          .prepare<[string], StoredCall>(
            `SELECT x.id, x.name, x.kind, x.title, x.outcome, x.subagent_id AS subagentId, x.at,
               x.duration_ms AS durationMs, x.position FROM calls x ${ofSession} ORDER BY x.position, x.at, x.id`,
          )
          .all(id),
      ),
    files: (id) =>
      use(() =>
        raw
          .prepare<[string], StoredFile>(
            `SELECT x.path, x.operation, x.tool_call_id AS toolCallId, x.at, x.position FROM files x ${ofSession}
             ORDER BY x.number`,
          )
          .all(id),
      ),
    todos: (id) =>
      use(async () => (await findSessionRow(connection, id, []))?.summary.todos ?? ([] as Summary['todos'])),
    checkpoints: (id) =>
      use(() =>
        raw
          .prepare<[string], StoredCheckpoint>(
            `SELECT x.id, s.id AS sessionId, x.text, x.at FROM checkpoints x ${ofSession} ORDER BY x.number`,
          )
          .all(id),
      ),
    events: (id, after = 0) => readEvents(connection, id, after),
    lastEvents: async (id, count) => readLastEvents(connection, id, count),
    usage: (filter = {}) => use(() => listUsage(connection, filter)),
    usageOfSessions: (known) => use(() => usageOfSessions(connection, known)),
    usageNames: (by, sessions) => use(() => readUsageNames(connection, by, sessions)),
    search: (words, given = {}) => use(() => searchTexts(connection, words, given)),
    label: (id, labels) => use(() => label(id, labels)),
  };

  function sessionOf(stream: string): { readonly sessionId: string; readonly firstPosition: number } | undefined {
    return raw
      .prepare<[string], { readonly sessionId: string; readonly firstPosition: number }>(
        `SELECT t.session AS sessionId, l.position AS firstPosition FROM streams t JOIN lines l ON l.stream = t.id AND l.seq = 1
         WHERE t.name = ? AND t.session IS NOT NULL`,
      )
      .get(stream);
  }

  function resolve(beginning: string): readonly string[] {
    if (beginning === '') return [];
    // Not LIKE: what is typed may hold its signs.
    return raw
      .prepare<[string, string], string>('SELECT id FROM sessions WHERE id >= ? AND id < ? ORDER BY id LIMIT 10')
      .pluck()
      .all(beginning, `${beginning}\u{10ffff}`);
  }

  async function label(id: string, labels: Parameters<History['label']>[1]): Promise<void> {
    const index = createTextIndex(connection);
    await write(connection, () => {
      const session = raw
        .prepare<[string], { build: number; ended_at: number | null }>(
          'SELECT build, ended_at FROM sessions WHERE id = ?',
        )
        .get(id);
      if (!session) throw new StoreError('not-found', `There is no session ${id}.`);
      writeLabels(raw, id, labels);
      if (labels.name === undefined) return;
      index.remove(session.build, [NAME]);
      const name = raw.prepare<[string], string | null>('SELECT name FROM labels WHERE session_id = ?').pluck().get(id);
      if (name) index.add([{ build: session.build, streamId: 0, row: namedText(name, session.ended_at) }]);
    });
  }

  async function use<T>(work: () => T | Promise<T>): Promise<T> {
    if (!raw.open) throw new StoreError('closed', 'The store is closed.');
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error, connection.file);
    }
  }
}
