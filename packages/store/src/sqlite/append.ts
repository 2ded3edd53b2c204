// The way of lines into the database. One call is checked as a whole before the first of its lines is written, so a call that
// fails leaves nothing behind while the others of the same commit go on.

import type { Buffer } from 'node:buffer';
import type { NewLine } from '../contract.ts';
import { StoreError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { prepareInsert } from './insert-lines.ts';
import type { OwnLease } from './leases.ts';

/** Lines for one stream, as they were handed in. */
export interface AppendCall {
  readonly lease: OwnLease;
  readonly firstSeq: number;
  readonly lines: readonly NewLine[];
  readonly cursor: string | undefined;
}

/** Writes many calls inside a transaction that is open; gives each its last position or what was wrong with it. */
export type AppendAll = (calls: readonly AppendCall[]) => readonly (number | StoreError)[];

/** Prepares the statements once. */
export function prepareAppend(connection: Connection, now: () => number): AppendAll {
  const { raw } = connection;
  const find = raw.prepare<[number], { next_seq: number; lease_token: string | null }>(
    'SELECT next_seq, lease_token FROM streams WHERE id = ?',
  );
  const insert = prepareInsert(connection);
  const findLine = raw.prepare<[number, number], { position: number; bytes: Buffer }>(
    'SELECT position, bytes FROM lines WHERE stream = ? AND seq = ?',
  );
  const findLast = raw
    .prepare<[number], number>('SELECT position FROM lines WHERE stream = ? ORDER BY seq DESC LIMIT 1')
    .pluck();
  const update = raw.prepare(
    `UPDATE streams SET next_seq = ?, bytes = bytes + ?, first_at = coalesce(first_at, ?), last_at = coalesce(?, last_at),
       cursor = coalesce(?, cursor), lease_at = max(?, coalesce(lease_at, 0) + 1) WHERE id = ?`,
  );

  return (calls) => {
    const open = new Map<number, OpenStream>();
    const results = calls.map((call) => {
      const stream = open.get(call.lease.id) ?? look(call.lease);
      if (stream instanceof StoreError) return stream;
      open.set(call.lease.id, stream);
      return stream.token === call.lease.token ? keep(stream, call) : lostLease(call.lease);
    });
    // Also for a call that brought nothing new: the commit syncs what a process wrote that died before it could. Its time always
    // moves on, for a row that is as it was would not be written, and nothing synced.
    for (const [id, { nextSeq, bytes, firstAt, lastAt, cursor }] of open) {
      update.run(nextSeq, bytes, firstAt, lastAt, cursor, now(), id);
    }
    return results;
  };

  function look(lease: OwnLease): OpenStream | StoreError {
    const row = find.get(lease.id);
    if (row === undefined || row.lease_token !== lease.token) return lostLease(lease);
    return { token: lease.token, nextSeq: row.next_seq, bytes: 0, firstAt: null, lastAt: null, cursor: null };
  }

  function keep(stream: OpenStream, { lease, firstSeq, lines, cursor }: AppendCall): number | StoreError {
    if (firstSeq > stream.nextSeq) {
      const message = `Line ${stream.nextSeq} of ${lease.stream.name} is missing before line ${firstSeq}.`;
      return new StoreError('hole', message);
    }
    const repeated = firstSeq < stream.nextSeq ? compare(stream, lease, firstSeq, lines) : { position: 0, missing: [] };
    if (repeated instanceof StoreError) return repeated;
    let position = repeated.position;
    for (const seq of repeated.missing)
      position = put(stream, lease.id, seq, lines.slice(seq - firstSeq, seq - firstSeq + 1));
    const fresh = firstSeq === stream.nextSeq ? lines : lines.slice(stream.nextSeq - firstSeq);
    if (fresh.length > 0) position = put(stream, lease.id, firstSeq + lines.length - fresh.length, fresh);
    stream.nextSeq = Math.max(stream.nextSeq, firstSeq + lines.length);
    if (cursor !== undefined) stream.cursor = cursor;
    return lines.length > 0 ? position : (findLast.get(lease.id) ?? 0);
  }

  function put(stream: OpenStream, id: number, firstSeq: number, lines: readonly NewLine[]): number {
    for (const { bytes } of lines) stream.bytes += bytes.length;
    stream.firstAt ??= lines[0]?.at ?? null;
    stream.lastAt = lines.at(-1)?.at ?? null;
    return insert(id, firstSeq, lines);
  }

  /** Lines that are there must be the same. Those that a repair could not save are missing, and can be handed in again. */
  function compare(
    stream: OpenStream,
    lease: OwnLease,
    firstSeq: number,
    lines: readonly NewLine[],
  ): { position: number; missing: readonly number[] } | StoreError {
    const missing: number[] = [];
    let position = 0;
    const end = Math.min(stream.nextSeq - firstSeq, lines.length);
    for (let index = 0; index < end; index++) {
      const seq = firstSeq + index;
      const kept = findLine.get(lease.id, seq);
      const line = lines[index];
      if (kept === undefined) missing.push(seq);
      else if (line !== undefined && kept.bytes.equals(line.bytes)) position = kept.position;
      else return new StoreError('refused', `Line ${seq} of ${lease.stream.name} is kept already, and is another one.`);
    }
    return { position, missing };
  }
}

interface OpenStream {
  readonly token: string;
  nextSeq: number;
  bytes: number;
  firstAt: number | null;
  lastAt: number | null;
  cursor: string | null;
}

function lostLease(lease: OwnLease): StoreError {
  const message = `The stream ${lease.stream.name} was given to another process, or forgotten. Claim it again.`;
  return new StoreError('refused', message);
}
