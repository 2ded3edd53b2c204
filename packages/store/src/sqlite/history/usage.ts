// What every answer took, over all sessions. A fork's file has the answers of the session it was made from: each counts once.

import { setImmediate } from 'node:timers/promises';
import type { LedgerEntry } from '@tailrace/core';
import type { History, SessionUsage, UsageEntry } from '../../contract.ts';
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

/** The bill in its parts, of a time or of a session where one is given. */
export function listUsage(
  { raw }: Connection,
  { since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER, sessionId }: UsageFilter,
): readonly UsageEntry[] {
  const time = { since, until };
  const rows = sessionId === undefined ? entriesOf(raw, time) : entriesOf(raw, time, kinOf(raw, sessionId));
  const sessions = new Map<string, UsageEntry[]>();
  for (const row of rows) {
    const entries = sessions.get(row.session_id);
    if (entries) entries.push(toEntry(row));
    else sessions.set(row.session_id, [toEntry(row)]);
  }
  const once = countOnce([...sessions.values()]);
  return sessionId === undefined ? once : once.filter((entry) => entry.sessionId === sessionId);
}

/** So many sessions are read before others get their turn. */
const SESSIONS_AT_ONCE = 250;

/** The entries of sessions that have changed, each session by itself. What changes meanwhile has another version the next time. */
export async function usageOfSessions({ raw }: Connection, known: ReadonlyMap<string, string>): Promise<SessionUsage> {
  const rows = raw
    .prepare<[], readonly [id: string, version: string, project: string | null]>(
      `SELECT id, build || ' ' || lines || ' ' || told_last || ' ' || coalesce(ended_at, '') || ' ' || coalesce(cwd, ''), cwd
       FROM sessions`,
    )
    .raw()
    .all();
  const stale = rows.filter(([id, version]) => known.get(id) !== version);
  const changed = new Map<string, readonly UsageEntry[]>();
  // As lists, and without what is the same in all rows of a session: it is most of the time and of the memory.
  const entries = raw
    .prepare<[string], EntryList>(
      `SELECT u.id, u.subagent_id, coalesce(u.at, s.ended_at), u.model, u.input_tokens, u.cache_read_tokens,
         u.cache_write_tokens, u.cache_write_1h_tokens, u.output_tokens, u.cost_usd, u.is_rest
       FROM sessions s CROSS JOIN usage_entries u ON u.build = s.build WHERE s.id = ? ORDER BY u.number`,
    )
    .raw();
  const names = new Map<string, string>();
  for (const [index, [id, , project]] of stale.entries()) {
    if (index % SESSIONS_AT_ONCE === SESSIONS_AT_ONCE - 1) await setImmediate();
    changed.set(
      id,
      entries.all(id).map((list) => fromList(list, id, project, names)),
    );
  }
  return { versions: new Map(rows.map(([id, version]) => [id, version])), changed };
}

type EntryList = readonly [
  id: string,
  subagentId: string | null,
  at: number | null,
  model: string | null,
  inputTokens: number,
  cacheReadTokens: number,
  cacheWriteTokens: number,
  cacheWrite1hTokens: number,
  outputTokens: number,
  costUsd: number | null,
  isRest: number,
];

/** `names`: of a name that many have, one is kept. */
function fromList(list: EntryList, sessionId: string, project: string | null, names: Map<string, string>): UsageEntry {
  return {
    id: list[0],
    sessionId,
    subagentId: list[1],
    at: list[2],
    model: list[3] === null ? null : once(list[3], names),
    project,
    inputTokens: list[4],
    cacheReadTokens: list[5],
    cacheWriteTokens: list[6],
    cacheWrite1hTokens: list[7],
    outputTokens: list[8],
    costUsd: list[9],
    messages: list[10] === 1 ? 0 : 1,
  };
}

function once(name: string, names: Map<string, string>): string {
  const known = names.get(name);
  if (known === undefined) names.set(name, name);
  return known ?? name;
}

type UsageFilter = NonNullable<Parameters<History['usage']>[0]>;

function entriesOf(
  raw: Connection['raw'],
  time: { readonly since: number; readonly until: number },
  builds?: readonly number[],
): readonly EntryRow[] {
  const isWanted = builds ? 'AND s.build IN (SELECT value FROM json_each(:builds))' : '';
  return raw
    .prepare<object, EntryRow>(
      `SELECT ${COLUMNS} FROM sessions s CROSS JOIN usage_entries u ON u.build = s.build
       WHERE coalesce(u.at, s.ended_at, 0) >= :since AND coalesce(u.at, s.ended_at, 0) < :until ${isWanted}
       ORDER BY s.started_at, s.id, u.number`,
    )
    .all({ ...time, ...(builds && { builds: JSON.stringify(builds) }) });
}

/** The builds of a session, of those that have an answer of it, of those that have one of theirs, and so on. */
function kinOf(raw: Connection['raw'], sessionId: string): readonly number[] {
  const own = raw.prepare<[string], number>('SELECT build FROM sessions WHERE id = ?').pluck().all(sessionId);
  const others = raw
    .prepare<[number], number>(
      'SELECT DISTINCT k.build FROM usage_entries u CROSS JOIN usage_entries k ON k.id = u.id WHERE u.build = ?',
    )
    .pluck();
  const kin = new Set(own);
  // A set gives also what is added to it meanwhile.
  for (const build of kin) for (const other of others.all(build)) kin.add(other);
  return [...kin];
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
