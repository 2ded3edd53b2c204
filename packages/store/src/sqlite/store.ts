// The store on SQLite, put together.

import type { History, Metadata, Store } from '../contract.ts';
import { StoreError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { readEpoch, settleEpoch } from './epoch.ts';
import { toStoreError } from './errors.ts';
import { cutLog, forgetSession } from './forget.ts';
import { isForgotten } from './forgotten.ts';
import { systemProcesses } from './holder.ts';
import { openConnection } from './open.ts';
import type { StoreOptions } from './options.ts';
import { createRecord } from './record.ts';
import { measureSize, vacuum } from './size.ts';

/** What is made of the record, as the store needs it. */
export interface HistoryParts {
  readonly history: History;
  readonly metadata: Metadata;
  /** Takes out what was made of a session, inside a transaction that is open. */
  forget(sessionId: string): void;
  /** Takes the last traces of what was forgotten out of the file. */
  scrub(): Promise<void>;
}

const SESSIONS_AT_ONCE = 500;

/** Opens a store with what makes its history. */
export async function assembleStore(
  options: StoreOptions,
  createHistoryParts: (connection: Connection) => HistoryParts,
): Promise<Store> {
  const { clock: now = Date.now, processes = systemProcesses, waitMs } = options;
  const connection = await openConnection(options);
  if (!connection.readOnly) await settleEpoch(connection);
  const record = createRecord(connection, { now, processes, waitMs });
  const { history, metadata, forget: forgetHistory, scrub } = createHistoryParts(connection);
  let isClosed = false;
  let dataVersion = readDataVersion();

  return {
    record,
    history,
    metadata,
    epoch: () => use(() => readEpoch(connection)),
    hasChanged,
    forget: (sessionId) => forget(sessionId),
    isForgotten: (sessionId) => use(() => isForgotten(connection, sessionId)),

    async forgetBefore(time) {
      const forgotten: string[] = [];
      let kept = 0;
      for (;;) {
        const rows = await history.sessions({ until: time, limit: SESSIONS_AT_ONCE, offset: kept });
        for (const { id, endedAt, startedAt, starred } of rows) {
          const end = endedAt ?? startedAt;
          const isOver = !starred && end !== null && end < time && (await forgetIfIdle(id));
          if (isOver) forgotten.push(id);
          else kept++;
        }
        if (rows.length < SESSIONS_AT_ONCE) break;
      }
      // Once for all of them: it goes over the whole index.
      if (forgotten.length > 0) {
        await use(scrub);
        await use(() => cutLog(connection));
      }
      return forgotten;
    },

    size: () => use(() => measureSize(connection)),
    vacuum: () => use(() => vacuum(connection)),

    async close() {
      if (isClosed) return;
      await record.close();
      isClosed = true;
      connection.close();
    },
  };

  function readDataVersion(): unknown {
    return connection.raw.pragma('data_version', { simple: true });
  }

  function hasChanged(): boolean {
    if (isClosed) return false;
    const before = dataVersion;
    dataVersion = readDataVersion();
    return dataVersion !== before;
  }

  function forget(sessionId: string, clean = scrub): Promise<{ readonly lines: number; readonly streams: number }> {
    return use(() => forgetSession(connection, sessionId, { processes, now, forgetHistory, scrub: clean }));
  }

  /** One that is written again since it ended stays. */
  async function forgetIfIdle(sessionId: string): Promise<boolean> {
    try {
      await forget(sessionId, async () => undefined);
      return true;
    } catch (error) {
      if (error instanceof StoreError && error.code === 'busy') return false;
      throw error;
    }
  }

  async function use<T>(work: () => T | Promise<T>): Promise<T> {
    if (isClosed) throw new StoreError('closed', 'The store is closed.');
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error, connection.file);
    }
  }
}
