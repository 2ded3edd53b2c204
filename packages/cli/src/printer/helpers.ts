// What sub-agents do is kept until their card is printed, and stands under it. One that works in the background has its card twice:
// when it was sent off, and when it is back.

import type { EventOf } from '@tailrace/core';

export interface Helper {
  readonly taskId: string;
  readonly toolCallId: string | undefined;
  readonly name: string | undefined;
  /** What it was sent off for. */
  readonly description: string | undefined;
  /** The tool that sent it off, when that is told before its card. */
  toolName: string | undefined;
  /** 1 for one that the main thread sent off. */
  readonly depth: number;
  isBackground: boolean;
  /** How it ended, when that is told before its card. */
  end: EventOf<'task-end'> | undefined;
  /** What it did so far, row by row; its own helpers' rows among them. */
  rows: string[];
}

export interface Helpers {
  start(event: EventOf<'task-start'>): void;
  update(event: EventOf<'task-update'>): void;
  /** The one that is at work, by its task. */
  of(taskId: string | undefined): Helper | undefined;
  /** … by the call that sent it off. */
  ofCall(toolCallId: string): Helper | undefined;
  /** How far in the rows of a task stand, also when it is over. */
  depth(taskId: string | undefined): number;
  /** It is over, or its rows are printed: what still comes stands by itself. */
  end(helper: Helper): void;
  /** Those that are at work, in the order in which they began. */
  open(): readonly Helper[];
}

/** So many tasks are remembered after their end, for what comes late. */
const MOST_DEPTHS = 10_000;

export function createHelpers(): Helpers {
  const byTask = new Map<string, Helper>();
  const byCall = new Map<string, Helper>();
  const depths = new Map<string, number>();

  return {
    start(event) {
      if (event.kind === 'command') return;
      const { taskId, toolCallId, name, description = event.prompt } = event;
      const parent = event.parentTaskId ?? event.subagentId;
      const depth = parent === undefined ? 1 : (depths.get(parent) ?? 0) + 1;
      if (depths.size > MOST_DEPTHS) depths.clear();
      depths.set(taskId, depth);
      const isBackground = event.background === true;
      const helper = {
        taskId,
        toolCallId,
        name,
        description,
        toolName: undefined,
        depth,
        isBackground,
        end: undefined,
        rows: [],
      };
      byTask.set(taskId, helper);
      if (toolCallId !== undefined) byCall.set(toolCallId, helper);
    },
    update(event) {
      const helper = byTask.get(event.taskId);
      if (helper && event.background !== undefined) helper.isBackground = event.background;
    },
    of: (taskId) => (taskId === undefined ? undefined : byTask.get(taskId)),
    ofCall: (toolCallId) => byCall.get(toolCallId),
    depth: (taskId) => (taskId === undefined ? 0 : (depths.get(taskId) ?? 1)),
    end(helper) {
      byTask.delete(helper.taskId);
      if (helper.toolCallId !== undefined && byCall.get(helper.toolCallId) === helper) byCall.delete(helper.toolCallId);
    },
    open: () => [...byTask.values()],
  };
}
