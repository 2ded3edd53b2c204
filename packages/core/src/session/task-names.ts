// Sub-agents under one name. Two streams may have two names for one; the call that started it is the same.

import type { AgentStreamEvent } from '../event/event.ts';
import type { StreamState } from './stream.ts';

export interface TaskNames {
  /** The event with the names that its sub-agents came out under first. */
  rename(from: StreamState, event: AgentStreamEvent): AgentStreamEvent;
  /** The call that started a sub-agent. */
  callOf(taskId: string): string | undefined;
}

/** `isBegun` tells whether a sub-agent of this name has come out. */
export function createTaskNames(isBegun: (taskId: string) => boolean): TaskNames {
  const tasksByCall = new Map<string, string>();
  const callsByTask = new Map<string, string>();

  function rename(from: StreamState, event: AgentStreamEvent): AgentStreamEvent {
    if (event.type === 'task-start' && event.toolCallId !== undefined) {
      const known = tasksByCall.get(event.toolCallId);
      if (known === undefined) {
        tasksByCall.set(event.toolCallId, event.taskId);
        callsByTask.set(event.taskId, event.toolCallId);
      } else if (known !== event.taskId && !isBegun(event.taskId)) from.aliases.set(event.taskId, known);
    }
    if (from.aliases.size === 0) return event;
    const other = { ...event } as Record<string, unknown>;
    for (const key of ['taskId', 'subagentId', 'parentTaskId']) {
      const alias = from.aliases.get(other[key] as string);
      if (alias !== undefined) other[key] = alias;
    }
    return other as unknown as AgentStreamEvent;
  }

  return { rename, callOf: (taskId) => callsByTask.get(taskId) };
}
