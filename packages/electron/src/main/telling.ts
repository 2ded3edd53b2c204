// Neutral events → what a chat app asks for: the session, prompts, what the agent says, calls, results, the end of a turn. Pure.

import {
  type AgentStreamEvent,
  type EventOf,
  hasFailed,
  isToolResultBlock,
  type Json,
  type ToolResultBlock,
} from '@tailrace/core';
import { sessionUuid, type ToolUse } from '@tailrace/protocol';
import { createGreeting } from '@tailrace/runner';
import { resultText, textOf } from './text-of.ts';
import { createTotals, type TokenCount, type Totals } from './totals.ts';

/** The agent has told its session. */
export interface InitEvent {
  readonly type: 'init';
  /** As the agent writes it. */
  readonly sessionId: string;
  readonly tools: readonly string[];
}

/** A prompt, as the agent took it up. */
export interface UserEvent {
  readonly type: 'user';
  /** The prompt's own id. One that the agent echoes (`--replay-user-messages`) can be gone back to by it. */
  readonly uuid: string;
  readonly content: string;
}

/** A whole block of text, a call, or what a message took: one of the three. */
export interface AssistantEvent {
  readonly type: 'assistant';
  /** The agent's own id of the line, where it is known. */
  readonly uuid?: string;
  readonly content?: string;
  readonly toolUse?: ToolUse;
  /** Once for each message, however many lines it came in. */
  readonly tokens?: TokenCount;
  /** The sub-agent that says it; absent on the main thread. */
  readonly subagentId?: string;
}

/** What a call has brought. */
export interface ToolResultEvent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  /** As text, whatever it was. */
  readonly content: string;
  readonly isError: boolean;
  readonly subagentId?: string;
}

/** A turn is over. The figures are of the whole run so far. */
export interface ResultEvent {
  readonly type: 'result';
  readonly success: boolean;
  /** Why it is none, where that was told. */
  readonly error?: string;
  readonly durationMs?: number;
  readonly tokens?: TokenCount;
  readonly costUsd?: number;
}

/** A piece of text on the main thread, as it is written. */
interface DeltaEvent {
  readonly type: 'delta';
  readonly content: string;
  readonly uuid?: string;
}

/** A line that could not be read; it was left out. */
export interface WarningEvent {
  readonly type: 'warning';
  readonly message: string;
  /** The first hundred characters of the line. */
  readonly line?: string;
}

export type ToldEvent =
  | InitEvent
  | UserEvent
  | AssistantEvent
  | ToolResultEvent
  | ResultEvent
  | DeltaEvent
  | WarningEvent;

export interface Telling {
  add(event: AgentStreamEvent): readonly ToldEvent[];
  readonly totals: Totals;
}

const SHOWN_CHARACTERS = 100;

export function createTelling(): Telling {
  const totals = createTotals();
  const calls = new Map<string, { readonly name: string; isTold: boolean }>();
  /** The calls whose result was told: some agents write it again. */
  const ended = new Set<string>();
  /** How much of each open block was told in pieces. */
  const told = new Map<string, number>();
  const greetingOf = createGreeting();
  let line: { readonly number: number | undefined; readonly uuid: string | undefined } | undefined;

  /** The id stands on the first event of a line, and holds for all of them. */
  function lineId(event: AgentStreamEvent): { readonly uuid?: string } {
    if (event.native !== undefined) line = { number: event.line, uuid: uuidOf(event.native) };
    const uuid = line?.number === event.line ? line?.uuid : undefined;
    return uuid === undefined ? {} : { uuid };
  }

  function tellCall(event: EventOf<'tool-call-input-end' | 'tool-call-end'>, input: Json): readonly ToldEvent[] {
    const { toolCallId } = event;
    const call = calls.get(toolCallId);
    if (!call || call.isTold) return [];
    call.isTold = true;
    const toolUse: ToolUse = { type: 'tool_use', id: toolCallId, name: call.name, input: asRecord(input) };
    return [{ type: 'assistant', ...lineId(event), toolUse, ...helperOf(event) }];
  }

  function tellDelta(event: EventOf<'text-delta' | 'text-end'>): readonly ToldEvent[] {
    if (event.subagentId !== undefined) return [];
    const before = told.get(event.blockId) ?? 0;
    if (event.type === 'text-end') told.delete(event.blockId);
    else told.set(event.blockId, before + event.delta.length);
    const content = event.type === 'text-end' ? event.text.slice(before) : event.delta;
    return content === '' ? [] : [{ type: 'delta', content, ...lineId(event) }];
  }

  /** A result whose call nobody saw, as after a resume: it is no event of its own. */
  function tellLoneResult(event: EventOf<'raw'>, block: ToolResultBlock): readonly ToldEvent[] {
    const { tool_use_id: toolUseId, is_error: isError = false } = block;
    if (toolUseId === undefined) return [warningOf(event)];
    if (ended.has(toolUseId)) return [];
    ended.add(toolUseId);
    return [{ type: 'tool_result', toolUseId, content: resultText(block), isError, ...helperOf(event) }];
  }

  function tellResult({ outcome, error, durationMs }: EventOf<'turn-end'>): ToldEvent {
    const { tokens, costUsd } = totals;
    return {
      type: 'result',
      success: outcome === 'success',
      ...(error && { error: error.message }),
      ...(durationMs !== undefined && { durationMs }),
      ...(tokens && { tokens }),
      ...(costUsd !== undefined && { costUsd }),
    };
  }

  function tell(event: AgentStreamEvent): readonly ToldEvent[] {
    switch (event.type) {
      case 'user-message': {
        const { messageId: uuid, origin, subagentId } = event;
        if (uuid === undefined || origin === 'injected' || subagentId !== undefined) return [];
        return [{ type: 'user', uuid, content: textOf(event.content) }];
      }
      case 'text-delta':
        return tellDelta(event);
      case 'text-end': {
        const block: ToldEvent = { type: 'assistant', ...lineId(event), content: event.text, ...helperOf(event) };
        return [...tellDelta(event), block];
      }
      case 'message-end': {
        const { inputTokens = 0, outputTokens = 0 } = event.usage ?? {};
        if (!event.usage) return [];
        return [{ type: 'assistant', tokens: { input: inputTokens, output: outputTokens }, ...helperOf(event) }];
      }
      case 'tool-call-start':
        calls.set(event.toolCallId, { name: event.toolName, isTold: false });
        return [];
      case 'tool-call-input-end':
        return tellCall(event, event.input);
      case 'tool-call-end': {
        // One that was cut off before its input was whole is shown all the same.
        const call = tellCall(event, {});
        calls.delete(event.toolCallId);
        ended.add(event.toolCallId);
        const { toolCallId: toolUseId } = event;
        const content = textOf(event.content);
        return [...call, { type: 'tool_result', toolUseId, content, isError: hasFailed(event), ...helperOf(event) }];
      }
      case 'turn-end':
        // Where the process ended without a word, there was no result.
        return event.synthetic ? [] : [tellResult(event)];
      case 'raw':
        if (isToolResultBlock(event.value)) return tellLoneResult(event, event.value);
        // One that is understood and has nothing to tell is no trouble.
        return event.reason === 'no_counterpart' ? [] : [warningOf(event)];
      default:
        return [];
    }
  }

  return {
    totals,
    add(event) {
      totals.add(event);
      lineId(event);
      const greeting = greetingOf(event);
      return [...(greeting ? [{ type: 'init', ...greeting } as const] : []), ...tell(event)];
    },
  };
}

function warningOf({ reason, text, value }: EventOf<'raw'>): WarningEvent {
  const whole = text ?? (value === undefined ? undefined : JSON.stringify(value));
  const line = whole === undefined ? undefined : [...whole.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS);
  const shown = line === undefined ? {} : { line: line.join('') };
  const message = `a line was left out (${reason.replaceAll('_', ' ')})${line ? `: ${line.join('')}` : ''}`;
  return { type: 'warning', message, ...shown };
}

function helperOf({ subagentId }: AgentStreamEvent): { readonly subagentId?: string } {
  return subagentId === undefined ? {} : { subagentId };
}

function uuidOf(message: Json): string | undefined {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
  const { uuid } = message as Readonly<Record<string, Json>>;
  return typeof uuid === 'string' && sessionUuid.safeParse(uuid).success ? uuid : undefined;
}

function asRecord(input: Json): Readonly<Record<string, unknown>> {
  if (input === null) return {};
  if (typeof input !== 'object' || Array.isArray(input)) return { value: input };
  // Neither null nor a list: what is left of JSON's objects is a record.
  return input as Readonly<Record<string, unknown>>;
}
