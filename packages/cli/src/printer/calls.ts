// Calls that are running, with what their card will need.

import type { EventOf, ToolKind } from '@tailrace/core';

export interface Call {
  readonly toolName: string;
  /** What it is called for people, where that is another name. */
  readonly name: string | undefined;
  readonly kind: ToolKind;
  /** It may keep the todo list. */
  readonly isTodo: boolean;
  readonly subagentId: string | undefined;
  /** When it began, for whoever looks on live. */
  readonly since: number | undefined;
  /** The newest counts, whichever event brings it. */
  title: string | undefined;
  /** A person was asked for it, and allowed it. */
  isAllowed: boolean;
}

export interface Calls {
  start(event: EventOf<'tool-call-start'>, now: number | undefined): void;
  update(event: EventOf<'tool-call-input-end' | 'tool-call-update'>): void;
  /** Somebody was asked for it: a question is answered in words, which its card shows. */
  answer(toolCallId: string, answer: unknown): void;
  /** … a permission with yes or no. */
  decide(toolCallId: string, isAllowed: boolean): void;
  of(toolCallId: string): Call | undefined;
  /** The call, which is over now. */
  end(event: EventOf<'tool-call-end'>): Call;
  /** In the order in which they began. */
  open(): ReadonlyMap<string, Call>;
}

export function createCalls(): Calls {
  const calls = new Map<string, Call>();
  /** Those that ask somebody: the question stands above them. */
  const asked = new Set<string>();
  return {
    start({ toolCallId, toolName, kind, tags, title, mcp, subagentId }, since) {
      const isTodo = tags?.includes('todo') ?? false;
      const name = mcp && `${mcp.server}.${mcp.tool}`;
      calls.set(toolCallId, {
        toolName,
        name,
        kind,
        isTodo,
        subagentId,
        since,
        title: name === undefined ? title : undefined,
        isAllowed: false,
      });
      // A plan stands above its card too.
      if (tags?.includes('question') || kind === 'switch_mode') asked.add(toolCallId);
    },
    update(event) {
      const call = calls.get(event.toolCallId);
      if (!call) return;
      // What another program's tool is called says nothing about this call.
      if (event.title !== undefined && call.name === undefined) call.title = event.title;
      else if (event.type === 'tool-call-input-end' && !asked.delete(event.toolCallId))
        call.title ??= inputText(event.input);
    },
    answer(toolCallId, answer) {
      const call = calls.get(toolCallId);
      if (call) call.title = answerText(answer) || call.title;
    },
    decide(toolCallId, isAllowed) {
      const call = calls.get(toolCallId);
      if (call) call.isAllowed = isAllowed;
    },
    of: (toolCallId) => calls.get(toolCallId),
    end({ toolCallId, toolName, subagentId }) {
      const call = calls.get(toolCallId);
      calls.delete(toolCallId);
      asked.delete(toolCallId);
      return (
        call ?? {
          toolName,
          name: undefined,
          kind: 'other',
          isTodo: false,
          subagentId,
          since: undefined,
          title: undefined,
          isAllowed: false,
        }
      );
    },
    open: () => calls,
  };
}

/** What a call was given, in short, where nobody has put it in words. */
export function inputText(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  const parts = Object.entries(input)
    .slice(0, 8)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value.slice(0, 200) : shortJson(value)}`);
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** The words of an answer, without what was asked. */
function answerText(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return typeof answer === 'string' ? answer : '';
  return Object.values(answer)
    .slice(0, 8)
    .map((value) => (typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : shortJson(value)))
    .join(' · ');
}

function shortJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? `[${value.length}]` : '{…}';
}
