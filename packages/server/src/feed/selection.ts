// Which events of a session a subscription wants.

import type { AgentStreamEvent, EventType } from '@tailrace/core';
import type { EventFilter } from '@tailrace/protocol';

/** What is known of a session before its events are looked at. */
export interface SessionAbout {
  readonly agent: string;
  readonly project: string | undefined;
}

/** Whether a filter lets anything of a session through. */
export function isSessionWanted({ agents, projects }: EventFilter, { agent, project }: SessionAbout): boolean {
  if (agents && !agents.includes(agent)) return false;
  return !projects || (project !== undefined && projects.includes(project));
}

export interface Selection {
  /** To be asked about each event of one session, in order. */
  isWanted(event: AgentStreamEvent): boolean;
}

/** For one session: a part of a call does not name its tool, its beginning did. */
export function createSelection({ kinds, tools, subagents }: EventFilter): Selection {
  const wantedKinds = kinds && new Set<EventType>(kinds);
  const wantedTools = tools && new Set(tools);
  const wantedAgents = subagents === undefined ? undefined : new Set(subagents === 'none' ? [] : subagents);
  const unwantedCalls = new Set<string>();

  function isToolWanted(event: AgentStreamEvent): boolean {
    if (!wantedTools || !('toolCallId' in event) || event.toolCallId === undefined) return true;
    if (event.type === 'tool-call-start' && !wantedTools.has(event.toolName)) unwantedCalls.add(event.toolCallId);
    const isWanted = !unwantedCalls.has(event.toolCallId);
    if (event.type !== 'tool-call-end') return isWanted;
    unwantedCalls.delete(event.toolCallId);
    return isWanted && wantedTools.has(event.toolName);
  }

  return {
    isWanted(event) {
      // Asked first: it has to hear of every call.
      if (!isToolWanted(event)) return false;
      if (wantedAgents && event.subagentId !== undefined && !wantedAgents.has(event.subagentId)) return false;
      return !wantedKinds || wantedKinds.has(event.type);
    },
  };
}
