// The record's tables as TypeScript sees them; migrations/0001-record.ts makes them.

import type { LineSource } from '@tailrace/core';
import type { Generated } from 'kysely';

export interface RecordSchema {
  meta: MetaTable;
  streams: StreamsTable;
  lines: LinesTable;
  forgotten: ForgottenTable;
}

interface MetaTable {
  key: string;
  value: string;
}

export interface StreamsTable {
  id: Generated<number>;
  name: string;
  kind: string;
  agent: string | null;
  session_id: string | null;
  path: string | null;
  /** JSON. */
  about: string | null;
  cursor: string | null;
  next_seq: Generated<number>;
  bytes: Generated<number>;
  first_at: number | null;
  last_at: number | null;
  /** The session that its lines turned out to belong to; the history sets it. */
  session: string | null;
  lease_token: string | null;
  lease_pid: number | null;
  lease_start: string | null;
  lease_place: string | null;
  lease_at: number | null;
}

interface LinesTable {
  position: Generated<number>;
  /** `streams.id`. */
  stream: number;
  seq: number;
  at: number;
  /** Its place in `sources`. */
  source: number;
  bytes: Uint8Array;
}

interface ForgottenTable {
  /** SHA-256: the id itself would tell what was forgotten. */
  session_hash: string;
  at: number;
}

/** A line's source is kept as its place in this list: add at the end only. */
export const sources: readonly LineSource[] = ['stdout', 'stdin', 'stderr', 'transcript', 'hook', 'host'];
