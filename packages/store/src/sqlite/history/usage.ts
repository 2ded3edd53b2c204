// What every answer took, over all sessions. A fork's file has the answers of the session it was made from: each counts once.

import type { LedgerEntry } from '@tailrace/core';
import type { UsageEntry } from '../../contract.ts';
import type { SessionHead } from '../../project/rows.ts';
import { countOnce } from '../../usage/count-once.ts';
import type { Connection } from '../connection.ts';
import { countOf, wholeOf } from './values.ts';

export interface EntryRow {
  readonly id: string;
  readonly session_id: string;
  readonly subagent_id: string | null;
  readonly at: number | null;
  readonly model: string | null;
  readonly project: string | null;
  readonly input_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_tokens: number;
  readonly cache_write_1h_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
  readonly is_rest: number;
}

/** Of `usage_entries u` and `sessions s`. */
export const COLUMNS = `u.id, s.id AS session_id, u.subagent_id, coalesce(u.at, s.ended_at) AS at, u.model, s.cwd AS project,
  u.input_tokens, u.cache_read_tokens, u.cache_write_tokens, u.cache_write_1h_tokens, u.output_tokens, u.cost_usd, u.is_rest`;

/** The bill in its parts, of a time where one is given. */
export function listUsage(
  { raw }: Connection,
  filter: { readonly since?: number | undefined; readonly until?: number | undefined },
): readonly UsageEntry[] {
  const rows = raw
    .prepare<{ since: number; until: number }, EntryRow>(
      `SELECT ${COLUMNS} FROM sessions s CROSS JOIN usage_entries u ON u.build = s.build
       WHERE coalesce(u.at, s.ended_at, 0) >= :since AND coalesce(u.at, s.ended_at, 0) < :until
       ORDER BY s.started_at, s.id, u.number`,
    )
    .all({ since: filter.since ?? Number.MIN_SAFE_INTEGER, until: filter.until ?? Number.MAX_SAFE_INTEGER });
  const sessions = new Map<string, UsageEntry[]>();
  for (const row of rows) {
    const entries = sessions.get(row.session_id);
    if (entries) entries.push(toEntry(row));
    else sessions.set(row.session_id, [toEntry(row)]);
  }
  return countOnce([...sessions.values()]);
}

/** A part of the bill as it will be read again. */
export function entryOf(
  { id, subagentId, time, model, usage, costUsd, isRest }: LedgerEntry,
  { endedAt }: Pick<SessionHead, 'endedAt'>,
  sessionId = '',
): UsageEntry {
  return {
    id,
    sessionId,
    subagentId: subagentId ?? null,
    at: wholeOf(time) ?? wholeOf(endedAt),
    model: model ?? null,
    project: null,
    inputTokens: countOf(usage.inputTokens),
    cacheReadTokens: countOf(usage.cacheReadTokens),
    cacheWriteTokens: countOf(usage.cacheWriteTokens),
    cacheWrite1hTokens: countOf(usage.cacheWrite1hTokens),
    outputTokens: countOf(usage.outputTokens),
    costUsd: costUsd ?? null,
    messages: isRest ? 0 : 1,
  };
}

export function toEntry(row: EntryRow): UsageEntry {
  return {
    id: row.id,
    sessionId: row.session_id,
    subagentId: row.subagent_id,
    at: row.at,
    model: row.model,
    project: row.project,
    inputTokens: row.input_tokens,
    cacheReadTokens: row.cache_read_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    cacheWrite1hTokens: row.cache_write_1h_tokens,
    outputTokens: row.output_tokens,
    costUsd: row.cost_usd,
    messages: row.is_rest === 1 ? 0 : 1,
  };
}
