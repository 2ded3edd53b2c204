// The record on SQLite.

import type { Lease, LineRecord, NewLine, StoredStream } from '../contract.ts';
import { StoreError } from '../errors.ts';
import { prepareAppend } from './append.ts';
import { type CommitQueueOptions, createCommitQueue } from './commit-queue.ts';
import type { Connection } from './connection.ts';
import { toStoreError } from './errors.ts';
import { type Processes, systemProcesses } from './holder.ts';
import { createLeases, type OwnLease } from './leases.ts';
import { createLineReader } from './read-lines.ts';
import { sources } from './schema.ts';
import { ofSession, type StreamRow, toStream } from './stream-row.ts';

export interface RecordOptions extends CommitQueueOptions {
  readonly processes?: Processes | undefined;
}

export interface SqliteRecord extends LineRecord {
  /** Waits for what was handed in, and gives all leases back. */
  close(): Promise<void>;
}

/** The record of an open database. */
export function createRecord(connection: Connection, options: RecordOptions = {}): SqliteRecord {
  const { now = Date.now, processes = systemProcesses } = options;
  const leases = createLeases(connection, processes, now);
  const queue = createCommitQueue(connection, prepareAppend(connection, now), options);
  const reader = createLineReader(connection);
  const own = new Map<string, OwnLease>();
  let isClosed = false;

  return {
    async claim(name, facts) {
      mustBeOpen();
      const lease = await leases.claim(name, facts);
      own.set(name, lease);
      return { stream: lease.stream, release: () => release(lease) } satisfies Lease;
    },

    async append(stream, firstSeq, lines, { cursor } = {}) {
      mustBeOpen();
      const lease = own.get(stream);
      if (lease === undefined) throw new StoreError('refused', `Nobody here has claimed the stream ${stream}.`);
      if (!Number.isSafeInteger(firstSeq) || firstSeq < 1) {
        throw new StoreError('refused', `Lines are numbered from 1 on; ${firstSeq} is no number of a line.`);
      }
      // One bad line would fail the whole commit, and with it calls of others.
      if (!lines.every(canBeKept))
        throw new StoreError('refused', 'A line needs a time in whole milliseconds and a source.');
      return await queue.add({ lease, firstSeq, lines, cursor });
    },

    stream: (name) => ask(() => streamsWhere('name = ?', [name])[0]),
    streams({ sessionId, path } = {}) {
      const conditions = [...(sessionId === undefined ? [] : [ofSession]), ...(path === undefined ? [] : ['path = ?'])];
      const values = [sessionId, sessionId, path].filter((value) => value !== undefined);
      return ask(() => streamsWhere(conditions.join(' AND ') || 'true', values));
    },

    async *read(stream, fromSeq = 1) {
      for (let seq = fromSeq; ; ) {
        const piece = await ask(() => reader.piece(stream, seq));
        const last = piece.at(-1);
        if (last === undefined) return;
        yield piece;
        seq = last.seq + 1;
      }
    },
    line: (stream, seq) => ask(() => reader.line(stream, seq)),
    after: (position, limit) => ask(() => reader.after(position, limit)),
    last: () => ask(() => reader.last()),

    async close() {
      isClosed = true;
      await queue.drained();
      for (const lease of own.values()) await leases.release(lease);
      own.clear();
    },
  };

  async function release(lease: OwnLease): Promise<void> {
    await queue.drained();
    if (own.get(lease.stream.name) === lease) own.delete(lease.stream.name);
    if (!isClosed) await leases.release(lease);
  }

  function streamsWhere(condition: string, values: readonly string[]): readonly StoredStream[] {
    const statement = connection.raw.prepare<string[], StreamRow>(
      `SELECT * FROM streams WHERE ${condition} ORDER BY id`,
    );
    return statement.all(...values).map(toStream);
  }

  /** Reads in a turn of its own, so that many pieces in a row leave room for others. */
  async function ask<T>(read: () => T): Promise<T> {
    mustBeOpen();
    await new Promise((resolve) => setImmediate(resolve));
    mustBeOpen();
    try {
      return read();
    } catch (error) {
      throw toStoreError(error, connection.file);
    }
  }

  function mustBeOpen(): void {
    if (isClosed) throw new StoreError('closed', 'The store is closed.');
  }
}

function canBeKept({ at, source, bytes }: NewLine): boolean {
  return Number.isSafeInteger(at) && sources.includes(source) && bytes instanceof Uint8Array;
}
