// The list of sessions, and one of them.

import type { Summary } from '@tailrace/core';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { SessionFilter, SessionRow } from '../../contract.ts';
import type { Connection } from '../connection.ts';

/** Sessions that fit, those that were last active first. `written`: those that somebody writes to. */
export async function listSessions(
  { db }: Connection,
  filter: SessionFilter,
  written: readonly string[],
): Promise<readonly SessionRow[]> {
  const rows = await select(db, filter, written)
    // SQLite knows an offset only behind a limit; none is -1.
    .limit(filter.limit ?? -1)
    .offset(filter.offset ?? 0)
    .execute();
  const running = new Set(written);
  return rows.map((row) => toRow(row, running));
}

/** One session with its summary. */
export async function findSessionRow(
  { db }: Connection,
  id: string,
  written: readonly string[],
): Promise<(SessionRow & { readonly summary: Summary }) | undefined> {
  const row = await selectColumns(db).select('s.summary').where('s.id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  // Written by the projector and by nothing else.
  return { ...toRow(row, new Set(written)), summary: JSON.parse(row.summary) as Summary };
}

function selectColumns(db: Connection['db']) {
  return db
    .selectFrom('sessions as s')
    .leftJoin('labels as l', 'l.session_id', 's.id')
    .select([
      's.id',
      's.agent',
      's.project',
      's.cwd',
      's.agent_title',
      's.first_prompt',
      's.model',
      's.outcome',
      's.started_at',
      's.ended_at',
      's.turns',
      's.usage',
      's.cost_usd',
      's.cost_state',
      's.lines',
      's.last_text',
      's.files',
      's.subagents',
      'l.name',
      'l.starred',
      sql<
        string | null
      >`(SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE session_id = s.id ORDER BY tag))`.as('tags'),
    ]);
}

function select(db: Connection['db'], filter: SessionFilter, written: readonly string[]) {
  const { project, model, agent, status, tag, starred, since, until, minCostUsd, maxCostUsd } = filter;
  const running = JSON.stringify(written);
  const isRunning = sql<SqlBool>`s.id IN (SELECT value FROM json_each(${running}))`;
  let query = selectColumns(db);
  const where = (condition: Expression<SqlBool>): void => {
    query = query.where(condition);
  };
  if (project !== undefined) where(sql<SqlBool>`instr(lower(s.cwd), ${project.toLowerCase()}) > 0`);
  if (model !== undefined) where(sql<SqlBool>`instr(lower(s.models), ${model.toLowerCase()}) > 0`);
  if (agent !== undefined) query = query.where('s.agent', '=', agent);
  if (status === 'running') where(isRunning);
  else if (status !== undefined) where(sql<SqlBool>`s.outcome = ${status} AND NOT ${isRunning}`);
  if (tag !== undefined) where(sql<SqlBool>`s.id IN (SELECT session_id FROM tags WHERE tag = ${tag})`);
  if (starred !== undefined) where(sql<SqlBool>`coalesce(l.starred, 0) = ${starred ? 1 : 0}`);
  // Active in between: it had not ended before, and had begun.
  if (since !== undefined) query = query.where('s.ended_at', '>=', since);
  if (until !== undefined) query = query.where('s.started_at', '<', until);
  if (minCostUsd !== undefined) query = query.where('s.cost_usd', '>=', minCostUsd);
  if (maxCostUsd !== undefined) query = query.where('s.cost_usd', '<=', maxCostUsd);
  return query.orderBy('s.ended_at', 'desc').orderBy('s.id');
}

type Row = Awaited<ReturnType<ReturnType<typeof selectColumns>['execute']>>[number];

function toRow(row: Row, running: ReadonlySet<string>): SessionRow {
  return {
    id: row.id,
    agent: row.agent,
    project: row.project,
    cwd: row.cwd,
    title: row.name ?? row.agent_title ?? row.first_prompt,
    model: row.model,
    status: running.has(row.id) ? 'running' : row.outcome,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    turns: row.turns,
    usage: JSON.parse(row.usage) as Summary['usage'],
    costUsd: row.cost_usd,
    costState: row.cost_state as SessionRow['costState'],
    starred: row.starred === 1,
    tags: JSON.parse(row.tags ?? '[]') as readonly string[],
    lines: row.lines,
    lastText: row.last_text,
    files: row.files,
    subagents: row.subagents,
  };
}
