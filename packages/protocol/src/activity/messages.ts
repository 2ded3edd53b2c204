// The five light messages about an agent's work: for whoever wants to show what it does without holding its whole conversation.

import { z } from 'zod';
import { type CutString, cutStrings } from '../cut-string.ts';

/** The names that a call can have here; an agent's own tools are `Other`. */
export const ACTIVITY_TOOLS = [
  'Read',
  'Write',
  'Edit',
  'Bash',
  'Grep',
  'Glob',
  'WebFetch',
  'WebSearch',
  'Other',
] as const;
export type ActivityTool = (typeof ACTIVITY_TOOLS)[number];

/** Whose it is, and when it was. */
interface ActivityBase {
  /** Given by whoever started the run; the run's own id where nobody gave one. */
  readonly workOrderId: string;
  readonly runId: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** On a socket: strings that are too long to travel; the message has their beginnings. */
  readonly cut?: readonly CutString[] | undefined;
}

/** The agent calls a tool. */
export interface AgentToolCall extends ActivityBase {
  readonly type: 'agent_tool_call';
  /** Its own, and the same whenever the same stream is read. */
  readonly eventId: string;
  readonly toolUseId: string;
  readonly tool: ActivityTool;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a call brought. */
export interface AgentToolResult extends ActivityBase {
  readonly type: 'agent_tool_result';
  readonly toolUseId: string;
  readonly success: boolean;
  /** The first {@link PREVIEW_CHARACTERS} characters; none is cut in two. */
  readonly contentPreview: string;
  /** All of it, in UTF-16 units. */
  readonly contentLength: number;
  /** From call to result; 0 when nobody told when they were. */
  readonly durationMs: number;
}

/** Something that the agent says. */
export interface AgentOutput extends ActivityBase {
  readonly type: 'agent_output';
  readonly content: string;
}

/** A file of the workspace is another one. */
export interface FileChanged extends ActivityBase {
  readonly type: 'file_changed';
  /** From the workspace on. */
  readonly path: string;
  readonly action: 'created' | 'modified' | 'deleted';
  /** Absent for one that is gone, and where nobody looked. */
  readonly sizeBytes?: number | undefined;
}

/** How far it is. */
export interface ProgressUpdate extends ActivityBase {
  readonly type: 'progress_update';
  /** A whole number, 0 to 100. */
  readonly percentage: number;
  /** In words: "reading files". */
  readonly currentPhase: string;
  readonly toolCallCount: number;
  readonly elapsedSeconds: number;
  readonly estimatedRemainingSeconds?: number | undefined;
}

export type ActivityMessage = AgentToolCall | AgentToolResult | AgentOutput | FileChanged | ProgressUpdate;

/** How much of a result is shown. */
export const PREVIEW_CHARACTERS = 500;

const base = { workOrderId: z.string(), runId: z.string(), timestamp: z.iso.datetime(), cut: cutStrings.optional() };
const count = z.number().int().nonnegative();

export const agentToolCall: z.ZodType<AgentToolCall> = z.object({
  type: z.literal('agent_tool_call'),
  ...base,
  eventId: z.string(),
  toolUseId: z.string(),
  tool: z.enum(ACTIVITY_TOOLS),
  input: z.record(z.string(), z.unknown()),
});

export const agentToolResult: z.ZodType<AgentToolResult> = z.object({
  type: z.literal('agent_tool_result'),
  ...base,
  toolUseId: z.string(),
  success: z.boolean(),
  contentPreview: z.string().max(PREVIEW_CHARACTERS),
  contentLength: count,
  durationMs: z.number().nonnegative(),
});

export const agentOutput: z.ZodType<AgentOutput> = z.object({
  type: z.literal('agent_output'),
  ...base,
  content: z.string(),
});

export const fileChanged: z.ZodType<FileChanged> = z.object({
  type: z.literal('file_changed'),
  ...base,
  path: z.string().min(1),
  action: z.enum(['created', 'modified', 'deleted']),
  sizeBytes: count.optional(),
});

export const progressUpdate: z.ZodType<ProgressUpdate> = z.object({
  type: z.literal('progress_update'),
  ...base,
  percentage: z.number().int().min(0).max(100),
  currentPhase: z.string(),
  toolCallCount: count,
  elapsedSeconds: z.number().nonnegative(),
  estimatedRemainingSeconds: z.number().nonnegative().optional(),
});
