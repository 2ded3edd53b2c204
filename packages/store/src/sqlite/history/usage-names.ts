// What the entries of the bill do not tell themselves: whose they are, which kind of sub-agent it was, and which tools were called.

import type { NamedBy, UsageNames } from '../../contract.ts';
import { callsByAnswer } from '../../usage/calls-by-answer.ts';
import type { Connection } from '../connection.ts';

const NOBODY: readonly string[] = [];
/** The sessions whose ids are given as JSON. */
const WANTED = 'json_each(?) w CROSS JOIN sessions s ON s.id = w.value';

/** Of all sessions unless some are named. */
export function readUsageNames({ raw }: Connection, by: NamedBy, sessions?: readonly string[]): UsageNames {
  const ids =
    sessions === undefined
      ? raw.prepare<[], string>('SELECT json_group_array(id) FROM sessions').pluck().get()
      : JSON.stringify(sessions);
  const wanted = ids ?? '[]';
  switch (by) {
    case 'agent':
      return agentNames(raw, wanted);
    case 'subagent':
      return subagentNames(raw, wanted);
    case 'tool':
      return toolNames(raw, wanted);
  }
}

function agentNames(raw: Connection['raw'], wanted: string): UsageNames {
  const rows = raw
    .prepare<[string], readonly [string, string]>(`SELECT s.id, s.agent FROM ${WANTED}`)
    .raw()
    .all(wanted);
  const agents = new Map(rows.map(([id, agent]) => [id, [agent]]));
  return ({ sessionId }) => agents.get(sessionId) ?? NOBODY;
}

function subagentNames(raw: Connection['raw'], wanted: string): UsageNames {
  const rows = raw
    .prepare<[string], readonly [string, string, string]>(
      `SELECT s.id, j.value ->> 'id', j.value ->> 'type' FROM ${WANTED} JOIN json_each(s.summary, '$.subagents') j
       WHERE s.subagents > 0 AND j.value ->> 'type' IS NOT NULL`,
    )
    .raw()
    .all(wanted);
  const kinds = new Map(rows.map(([sessionId, id, kind]) => [`${sessionId} ${id}`, [kind]]));
  return ({ sessionId, subagentId }) =>
    subagentId === null ? NOBODY : (kinds.get(`${sessionId} ${subagentId}`) ?? NOBODY);
}

function toolNames(raw: Connection['raw'], wanted: string): UsageNames {
  const answers = raw
    .prepare<[string], readonly [string, string, string | null, number]>(
      `SELECT s.id, u.id, u.subagent_id, coalesce(u.at, s.ended_at, 0) FROM ${WANTED}
       CROSS JOIN usage_entries u ON u.build = s.build WHERE u.is_rest = 0`,
    )
    .raw();
  const calls = raw
    .prepare<[string], readonly [string, string, string | null, number]>(
      `SELECT s.id, c.name, c.subagent_id, coalesce(c.at, s.ended_at, 0) FROM ${WANTED}
       CROSS JOIN calls c ON c.build = s.build`,
    )
    .raw();
  return callsByAnswer(answers.all(wanted), calls.all(wanted));
}
