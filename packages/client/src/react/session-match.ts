// Whether a session belongs into a list: the same question that the server answers for the list itself.

import type { SessionInfo, SessionQuery } from '@tailrace/protocol';

export function isMatch(session: SessionInfo, query: SessionQuery): boolean {
  const { project, model, agent, status, tag, starred, since, until } = query;
  if (project !== undefined && session.projectId !== project) return false;
  if (model !== undefined && !session.model?.toLowerCase().includes(model.toLowerCase())) return false;
  if (agent !== undefined && session.agent !== agent) return false;
  if (status !== undefined && session.status !== status) return false;
  if (tag !== undefined && !session.tags.includes(tag)) return false;
  if (starred !== undefined && session.starred !== starred) return false;
  // One that goes on has no end yet.
  if (since !== undefined && session.endedAt !== null && session.endedAt < since) return false;
  return until === undefined || session.startedAt === null || session.startedAt <= until;
}
