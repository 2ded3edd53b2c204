// Sub-agents and commands that go on by themselves. A task is shown by the call that started it; one that no call started has a
// part of its own. Which calls belong to it is told by their `subagentId`, never by who started last.

import type { EventBase, EventOf } from '../event/event.ts';
import { changeCall, findCall, statusOf } from './calls.ts';
import type { Call, Conversation, Task, TaskPart } from './conversation.ts';
import { findEntry } from './list.ts';
import { addPart, baseOf, gapOrder, putThread, replacePart, threadOf, told } from './place.ts';

export function startTask(conversation: Conversation, event: EventOf<'task-start'>): Conversation {
  const { taskId, kind, toolCallId, parentTaskId, name, description, prompt, model, background } = event;
  return putTask(conversation, event, toolCallId, (known) => ({
    ...(known ?? blankTask(taskId)),
    kind,
    ...told({ parentTaskId, name, description, prompt, model, background }),
  }));
}

export function updateTask(conversation: Conversation, event: EventOf<'task-update'>): Conversation {
  const { taskId, summary, usage, toolUses, lastToolName, background } = event;
  return putTask(conversation, event, undefined, (known) => ({
    ...(known ?? blankTask(taskId)),
    ...told({ summary, usage, toolUses, lastToolName, background }),
  }));
}

export function endTask(conversation: Conversation, event: EventOf<'task-end'>): Conversation {
  const { taskId, outcome, result, error, usage, toolUses, durationMs, synthetic } = event;
  return putTask(conversation, event, undefined, (known) => {
    // Nobody's line told this end, and somebody's line told one before.
    if (synthetic && known && known.status !== 'running' && !known.synthetic) return known;
    // What it was doing is over, and how much it had done by then is not all.
    const { synthetic: _, summary: __, lastToolName: ___, toolUses: ____, ...task }: Task = known ?? blankTask(taskId);
    return { ...task, status: statusOf(outcome), ...told({ result, error, usage, toolUses, durationMs, synthetic }) };
  });
}

/** What a sub-agent has used so far, told apart from its end. */
export function spendTask(
  conversation: Conversation,
  event: EventOf<'usage-update'> & { readonly subagentId: string },
): Conversation {
  const { subagentId: taskId, usage, cost } = event;
  // It is told in the sub-agent's own thread, and not in the one where the task is shown.
  const { subagentId: _, ...elsewhere } = event;
  return putTask(conversation, { ...elsewhere, taskId }, undefined, (known) => ({
    ...(known ?? blankTask(taskId)),
    ...told({ usage, cost }),
  }));
}

/** The part that shows a task. */
export function taskPart(conversation: Conversation, taskId: string): Call | TaskPart | undefined {
  const { partId } = threadOf(conversation, taskId);
  // Only calls and tasks are kept there.
  return partId === undefined ? undefined : (findEntry(conversation.parts, partId) as Call | TaskPart | undefined);
}

function blankTask(taskId: string): Task {
  return { taskId, kind: 'other', status: 'running' };
}

function putTask(
  conversation: Conversation,
  event: EventBase & { readonly type: string; readonly taskId: string },
  toolCallId: string | undefined,
  change: (known: Task | undefined) => Task,
): Conversation {
  const shown = taskPart(conversation, event.taskId);
  if (shown) {
    const task = change(shown.task);
    return task === shown.task ? conversation : replacePart(conversation, shown, { ...shown, task });
  }
  if (toolCallId !== undefined && findCall(conversation, toolCallId)?.task === undefined) {
    const noted = putThread(conversation, event.taskId, { partId: `call:${toolCallId}` });
    return changeCall(noted, toolCallId, event, (call) => ({ ...call, task: change(undefined) }));
  }
  const id = `task:${event.taskId}`;
  const part: TaskPart = {
    ...baseOf(event, id, gapOrder(conversation, event, 'weather')),
    type: 'task',
    ...told({ toolCallId }),
    task: change(undefined),
  };
  return putThread(addPart(conversation, part), event.taskId, { partId: id });
}
