// A stream as a row of the database and as the contract shows it.

import type { Json } from '@tailrace/core';
import type { Selectable } from 'kysely';
import type { StoredStream, StreamFacts, StreamKind } from '../contract.ts';
import type { Holder } from './holder.ts';
import type { StreamsTable } from './schema.ts';

export type StreamRow = Selectable<StreamsTable>;

/** The stream as its readers see it. Optional means absent. */
export function toStream(row: StreamRow): StoredStream {
  return {
    name: row.name,
    // The column is only written from the contract's own type.
    kind: row.kind as StreamKind,
    ...(row.agent === null ? {} : { agent: row.agent }),
    ...(row.session_id === null ? {} : { sessionId: row.session_id }),
    ...(row.path === null ? {} : { path: row.path }),
    ...(row.about === null ? {} : { about: JSON.parse(row.about) as Json }),
    nextSeq: row.next_seq,
    bytes: row.bytes,
    ...(row.cursor === null ? {} : { cursor: row.cursor }),
    ...(row.first_at === null ? {} : { firstAt: row.first_at }),
    ...(row.last_at === null ? {} : { lastAt: row.last_at }),
  };
}

/** What the writer knows, as columns; nothing where it does not know. */
export function factColumns(facts: StreamFacts): FactColumns {
  return {
    kind: facts.kind,
    agent: facts.agent ?? null,
    session_id: facts.sessionId ?? null,
    path: facts.path ?? null,
    about: facts.about === undefined ? null : JSON.stringify(facts.about),
  };
}

export type FactColumns = Pick<StreamRow, 'kind' | 'agent' | 'session_id' | 'path' | 'about'>;

/** The streams of a session: what its lines turned out to be counts more than what was told before. Takes the id twice. */
export const ofSession = '(session = ? OR (session IS NULL AND session_id = ?))';

/** Who may write to it, if anybody. */
export function holderOf(row: StreamRow): (Holder & { readonly token: string }) | undefined {
  if (row.lease_token === null) return undefined;
  return {
    token: row.lease_token,
    pid: row.lease_pid ?? 0,
    start: row.lease_start ?? '',
    place: row.lease_place ?? '',
    at: row.lease_at ?? 0,
  };
}
