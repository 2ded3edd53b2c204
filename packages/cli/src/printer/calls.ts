// Calls that are running, with what their card will need.

import type { EventOf, ToolKind } from '@tailrace/core';

export interface Call {
  readonly toolName: string;
  readonly kind: ToolKind;
  /** It may keep the todo list. */
  readonly isTodo: boolean;
  readonly subagentId: string | undefined;
  /** When it began, for whoever looks on live. */
  readonly since: number | undefined;
  /** The newest counts, whichever event brings it. */
  title: string | undefined;
}

export interface Calls {
  start(event: EventOf<'tool-call-start'>, now: number | undefined): void;
  update(event: EventOf<'tool-call-input-end' | 'tool-call-update'>): void;
  of(toolCallId: string): Call | undefined;
  /** The call, which is over now. */
  end(event: EventOf<'tool-call-end'>): Call;
  /** In the order in which they began. */
  open(): ReadonlyMap<string, Call>;
}

export function createCalls(): Calls {
  const calls = new Map<string, Call>();
  return {
    start({ toolCallId, toolName, kind, tags, title, subagentId }, since) {
      calls.set(toolCallId, { toolName, kind, isTodo: tags?.includes('todo') ?? false, subagentId, since, title });
    },
    update({ toolCallId, title }) {
      const call = calls.get(toolCallId);
      if (call && title !== undefined) call.title = title;
    },
    of: (toolCallId) => calls.get(toolCallId),
    end({ toolCallId, toolName, subagentId }) {
      const call = calls.get(toolCallId);
      calls.delete(toolCallId);
      return call ?? { toolName, kind: 'other', isTodo: false, subagentId, since: undefined, title: undefined };
    },
    open: () => calls,
  };
}
