// A session of the store → as clients see it: with its project's id, and with the run that it has at the moment.

import type { LiveRun, SessionInfo } from '@tailrace/protocol';
import type { SessionRow } from '@tailrace/store';
import type { Projects } from '../control/projects.ts';
import type { Runs } from '../control/runs.ts';

export interface SessionView {
  of(row: SessionRow): SessionInfo;
}

export interface SessionViewParts {
  readonly projects: Pick<Projects, 'idOf'>;
  readonly runs: Pick<Runs, 'list'>;
  /** Runs of other programs, where somebody follows them. */
  liveRun?(sessionId: string): LiveRun | undefined;
}

/** For some sessions at one moment: the runs are looked at once. */
export function createSessionView({ projects, runs, liveRun }: SessionViewParts): SessionView {
  const ours = new Map<string, LiveRun>();
  for (const { sessionId, runId, state, since, requests, progress, subagents } of runs.list())
    if (sessionId !== null)
      ours.set(sessionId, { runId, state, since, isOurs: true, waiting: requests.length, progress, subagents });

  return {
    of(row) {
      return {
        id: row.id,
        agent: row.agent,
        projectId: row.cwd === null ? null : projects.idOf(row.cwd),
        project: row.project,
        cwd: row.cwd,
        title: row.title,
        model: row.model,
        status: row.status,
        startedAt: row.startedAt,
        endedAt: row.endedAt,
        turns: row.turns,
        usage: row.usage,
        costUsd: row.costUsd,
        costState: row.costState,
        starred: row.starred,
        tags: row.tags,
        lines: row.lines,
        lastText: row.lastText,
        files: row.files,
        subagents: row.subagents,
        live: ours.get(row.id) ?? liveRun?.(row.id) ?? null,
      };
    },
  };
}
