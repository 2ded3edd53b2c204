// What a desktop app's windows are told about runs. The first four are light and speak of blocks; the fifth carries everything.

import type { AgentStreamEvent } from '@tailrace/core';
import { z } from 'zod';
import type { StreamChannel } from './channels.ts';

/** Whose it is. */
interface StreamBase {
  /** A UUID: the run's until the agent tells its session, then the agent's id of that, or one that is made of it where it is no UUID. */
  readonly sessionId: string;
  /** The run's own id, which stays the same; absent where somebody else started the agent. */
  readonly runId?: string | undefined;
}

/** The agent has told its session. */
export interface StreamInit extends StreamBase {
  /** The id that it was told by until now, if another; absent where `runId` tells whose it is. */
  readonly formerId?: string | undefined;
  readonly tools: readonly string[];
}

/** A piece of what the agent says on its main thread. */
export interface StreamChunk extends StreamBase {
  readonly type: 'text';
  readonly content: string;
  /** The agent's own id of the line that it came with, where it is known. */
  readonly uuid?: string | undefined;
}

export interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  /** As text, whatever it was. */
  readonly content: string;
  readonly is_error: boolean;
}

interface StreamToolBase extends StreamBase {
  /** The sub-agent that calls; absent on the main thread. */
  readonly subagentId?: string | undefined;
}

/** A tool is called. */
export interface StreamToolUse extends StreamToolBase {
  readonly type: 'tool_use';
  readonly toolUse: ToolUse;
}

/** A call has brought something. */
export interface StreamToolResult extends StreamToolBase {
  readonly type: 'tool_result';
  readonly toolResult: ToolResult;
}

export type StreamTool = StreamToolUse | StreamToolResult;

/** The process is over. */
export interface StreamEnd extends StreamBase {
  readonly success: boolean;
  /** A sentence with exit code, signal and the last of stderr. */
  readonly error?: string | undefined;
  readonly aborted?: boolean | undefined;
  readonly totalTokens?: { readonly input: number; readonly output: number } | undefined;
  readonly costUsd?: number | undefined;
}

/** A neutral event, whole. */
export interface StreamEvent extends StreamBase {
  readonly event: AgentStreamEvent;
}

/** What goes over each channel. */
export interface StreamMessages {
  readonly 'stream:init': StreamInit;
  readonly 'stream:chunk': StreamChunk;
  readonly 'stream:tool': StreamTool;
  readonly 'stream:end': StreamEnd;
  readonly 'stream:event': StreamEvent;
}

/** A message with its channel. */
export type StreamMessage = { [C in StreamChannel]: [channel: C, message: StreamMessages[C]] }[StreamChannel];

export const sessionUuid: z.ZodType<string> = z.uuid();

const base = { sessionId: sessionUuid, runId: sessionUuid.optional() };
const count = z.number().nonnegative();

export const streamInit: z.ZodType<StreamInit> = z.object({
  ...base,
  formerId: sessionUuid.optional(),
  tools: z.array(z.string()),
});

export const streamChunk: z.ZodType<StreamChunk> = z.object({
  ...base,
  type: z.literal('text'),
  content: z.string(),
  uuid: z.uuid().optional(),
});

const tool = { ...base, subagentId: z.string().optional() };

export const streamTool: z.ZodType<StreamTool> = z.discriminatedUnion('type', [
  z.object({
    ...tool,
    type: z.literal('tool_use'),
    toolUse: z.object({
      type: z.literal('tool_use'),
      id: z.string(),
      name: z.string(),
      input: z.record(z.string(), z.unknown()),
    }),
  }),
  z.object({
    ...tool,
    type: z.literal('tool_result'),
    toolResult: z.object({
      type: z.literal('tool_result'),
      tool_use_id: z.string(),
      content: z.string(),
      is_error: z.boolean(),
    }),
  }),
]);

export const streamEnd: z.ZodType<StreamEnd> = z.object({
  ...base,
  success: z.boolean(),
  error: z.string().optional(),
  aborted: z.boolean().optional(),
  totalTokens: z.object({ input: count, output: count }).optional(),
  costUsd: count.optional(),
});

/** An event is known by its type; what is not known of it is kept, so the type says more than the schema. */
const event = z.looseObject({ type: z.string(), seq: z.number() }) as unknown as z.ZodType<AgentStreamEvent>;

export const streamEvent: z.ZodType<StreamEvent> = z.object({ ...base, event });

/** The schema of each channel. */
export const streamMessages: { readonly [C in StreamChannel]: z.ZodType<StreamMessages[C]> } = {
  'stream:init': streamInit,
  'stream:chunk': streamChunk,
  'stream:tool': streamTool,
  'stream:end': streamEnd,
  'stream:event': streamEvent,
};
