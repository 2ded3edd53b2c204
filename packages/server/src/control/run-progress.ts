// How far a run is and how many sub-agents are at work in it: a fold over its events, for lists.

import { type AgentStreamEvent, createProgress, type TodoEntry } from '@tailrace/core';
import { cutText, type RunProgress } from '@tailrace/protocol';

export interface RunProgressFold {
  add(event: AgentStreamEvent): void;
  progress(): RunProgress;
  /** Sub-agents at work now. */
  readonly subagents: number;
}

/** The agent's own words may be long. */
const ACTIVITY_LENGTH = 200;

export function createRunProgress(): RunProgressFold {
  const fold = createProgress();
  const subagents = new Set<string>();
  let list: Pick<RunProgress, 'done' | 'total'> = {};

  return {
    add(event) {
      fold.add(event);
      switch (event.type) {
        case 'turn-start':
          list = {};
          break;
        case 'todo-update':
          if (event.subagentId === undefined) list = countsOf(event.entries);
          break;
        case 'task-start':
          if (event.kind === 'agent') subagents.add(event.taskId);
          break;
        case 'task-end':
          subagents.delete(event.taskId);
          break;
        case 'session-end':
          subagents.clear();
          break;
      }
    },
    progress() {
      const { phase, activity, percentage, basis } = fold.progress();
      return {
        phase,
        ...(activity !== undefined && { activity: cutText(activity, ACTIVITY_LENGTH) }),
        percentage,
        basis,
        ...list,
      };
    },
    get subagents() {
      return subagents.size;
    },
  };
}

/** Cancelled ones need no more work: they count as done. */
function countsOf(entries: readonly TodoEntry[]): Pick<RunProgress, 'done' | 'total'> {
  if (entries.length === 0) return {};
  const done = entries.filter(({ status }) => status === 'completed' || status === 'cancelled').length;
  return { done, total: entries.length };
}
