// Activity messages with every field filled, from what somebody knows.

import { cutText } from './cut-text.ts';
import {
  type ActivityTool,
  type AgentOutput,
  type AgentToolCall,
  type AgentToolResult,
  type FileChanged,
  PREVIEW_CHARACTERS,
  type ProgressUpdate,
} from './messages.ts';

/** When it was, in epoch milliseconds; now unless told. */
interface Dated {
  readonly at?: number | undefined;
}

export interface ToolCallData extends Dated {
  readonly toolUseId: string;
  readonly tool: ActivityTool;
  /** Whatever the tool was given; nothing is legal. */
  readonly input?: unknown;
}

export interface ToolResultData extends Dated {
  readonly toolUseId: string;
  readonly success: boolean;
  /** All of it; the message carries its beginning. */
  readonly content?: string | undefined;
  readonly durationMs?: number | undefined;
}

export type FileChangedData = Dated & Pick<FileChanged, 'path' | 'action' | 'sizeBytes'>;
export type ProgressData = Dated & Omit<ProgressUpdate, 'type' | 'workOrderId' | 'runId' | 'timestamp'>;

export function createToolCallEvent(workOrderId: string, runId: string, data: ToolCallData): AgentToolCall {
  const { toolUseId, tool, input, at } = data;
  return {
    type: 'agent_tool_call',
    workOrderId,
    runId,
    eventId: `${runId}/${toolUseId}`,
    toolUseId,
    tool,
    input: asRecord(input),
    timestamp: timestampOf(at),
  };
}

export function createToolResultEvent(workOrderId: string, runId: string, data: ToolResultData): AgentToolResult {
  const { toolUseId, success, content = '', durationMs, at } = data;
  return {
    type: 'agent_tool_result',
    workOrderId,
    runId,
    toolUseId,
    success,
    contentPreview: cutText(content, PREVIEW_CHARACTERS),
    contentLength: content.length,
    durationMs: Math.max(0, durationMs ?? 0),
    timestamp: timestampOf(at),
  };
}

export function createOutputEvent(workOrderId: string, runId: string, content: string, at?: number): AgentOutput {
  return { type: 'agent_output', workOrderId, runId, content, timestamp: timestampOf(at) };
}

export function createFileChangedEvent(workOrderId: string, runId: string, data: FileChangedData): FileChanged {
  const { path, action, sizeBytes, at } = data;
  const size = action === 'deleted' || sizeBytes === undefined ? {} : { sizeBytes };
  return { type: 'file_changed', workOrderId, runId, path, action, ...size, timestamp: timestampOf(at) };
}

export function createProgressEvent(workOrderId: string, runId: string, data: ProgressData): ProgressUpdate {
  const { at, estimatedRemainingSeconds: remaining, ...figures } = data;
  return {
    type: 'progress_update',
    workOrderId,
    runId,
    ...figures,
    ...(remaining !== undefined && { estimatedRemainingSeconds: remaining }),
    timestamp: timestampOf(at),
  };
}

function timestampOf(at: number | undefined): string {
  const date = new Date(at ?? Date.now());
  // A time beyond all calendars is none.
  return Number.isNaN(date.getTime()) ? new Date().toISOString() : date.toISOString();
}

function asRecord(input: unknown): Readonly<Record<string, unknown>> {
  if (input === undefined || input === null) return {};
  if (typeof input === 'object' && !Array.isArray(input)) return input as Readonly<Record<string, unknown>>;
  return { value: input };
}
