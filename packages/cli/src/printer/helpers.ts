// What sub-agents do is kept until their card is printed, and stands under it. One that works in the background has its card twice:
// when it was sent off, and when it is back. So has a command that runs there.

import type { EventOf } from '@tailrace/core';

export interface Helper {
  readonly taskId: string;
  readonly toolCallId: string | undefined;
  /** It is a command, and no sub-agent. */
  readonly isCommand: boolean;
  readonly name: string | undefined;
  /** What it was sent off for. */
  readonly description: string | undefined;
  /** The tool that sent it off, when that is told before its card. */
  toolName: string | undefined;
  /** The sub-agent that sent it off; none: the main thread did. */
  readonly parent: string | undefined;
  isBackground: boolean;
  /** How it ended, when that is told before its card. */
  end: EventOf<'task-end'> | undefined;
  /** Its own words are among its rows. */
  hasSpoken: boolean;
  /** What it did so far, row by row; its own helpers' rows among them. */
  rows: string[];
}

export interface Helpers {
  /** `title`: what its call is about. */
  start(event: EventOf<'task-start'>, title: string | undefined): void;
  update(event: EventOf<'task-update'>): void;
  /** The one that is at work, by its task. */
  of(taskId: string | undefined): Helper | undefined;
  /** … by the call that sent it off. */
  ofCall(toolCallId: string): Helper | undefined;
  /** How far in the rows of a task stand, also when it is over. */
  depth(taskId: string | undefined): number;
  /** One that is over. */
  past(taskId: string): Helper | undefined;
  /** It is over, or its rows are printed: what still comes stands by itself. */
  end(helper: Helper): void;
  /** Those that are at work, in the order in which they began. */
  open(): readonly Helper[];
}

/** So many tasks are remembered after their end, for what comes late. */
const MOST_KNOWN = 10_000;
/** Nobody is sent off by itself, whatever a stream tells. */
const DEEPEST = 20;

export function createHelpers(): Helpers {
  const byTask = new Map<string, Helper>();
  const byCall = new Map<string, Helper>();
  /** All of them, also those that are over. */
  const known = new Map<string, Helper>();

  return {
    start(event, title) {
      const isCommand = event.kind === 'command';
      const isBackground = event.background === true;
      // A command that is waited for is its call, and nothing else.
      if (isCommand && !isBackground) return;
      const { taskId, toolCallId, name } = event;
      const helper: Helper = {
        taskId,
        toolCallId,
        isCommand,
        name,
        description: isCommand ? (title ?? event.description) : (event.description ?? title ?? event.prompt),
        toolName: undefined,
        parent: event.parentTaskId ?? event.subagentId,
        isBackground,
        end: undefined,
        hasSpoken: false,
        rows: [],
      };
      if (known.size > MOST_KNOWN) known.clear();
      known.set(taskId, helper);
      byTask.set(taskId, helper);
      if (toolCallId !== undefined) byCall.set(toolCallId, helper);
    },
    update(event) {
      const helper = byTask.get(event.taskId);
      if (helper && event.background !== undefined) helper.isBackground = event.background;
    },
    of: (taskId) => (taskId === undefined ? undefined : byTask.get(taskId)),
    ofCall: (toolCallId) => byCall.get(toolCallId),
    depth(taskId) {
      // Counted anew each time: files of a session tell of a sub-agent before they tell of whoever sent it off.
      let depth = 0;
      for (let one = taskId; one !== undefined && depth < DEEPEST; one = known.get(one)?.parent) depth++;
      return depth;
    },
    past: (taskId) => (byTask.has(taskId) ? undefined : known.get(taskId)),
    end(helper) {
      // Its rows are printed; only what it is called is still needed.
      helper.rows = [];
      byTask.delete(helper.taskId);
      if (helper.toolCallId !== undefined && byCall.get(helper.toolCallId) === helper) byCall.delete(helper.toolCallId);
    },
    open: () => [...byTask.values()],
  };
}
