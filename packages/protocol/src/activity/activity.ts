// Neutral events → activity messages: a fold, so that the same events always give the same messages.

import {
  type AgentStreamEvent,
  createProgress,
  type EventOf,
  hasFailed,
  type ToolKind,
  type ToolTag,
} from '@tailrace/core';
import {
  createFileChangedEvent,
  createOutputEvent,
  createProgressEvent,
  createToolCallEvent,
  createToolResultEvent,
} from './factories.ts';
import { ACTIVITY_TOOLS, type ActivityMessage, type ActivityTool } from './messages.ts';

export interface ActivityOptions {
  readonly workOrderId: string;
  readonly runId: string;
  /** Progress is told at most once in this time, and when a turn ends; {@link PROGRESS_INTERVAL_MS} unless set. */
  readonly progressIntervalMs?: number | undefined;
  /** What the agent thinks goes out as output too. */
  readonly includeReasoning?: boolean | undefined;
  /** The kind of the task, and earlier turns to compare with. */
  readonly progress?: Parameters<typeof createProgress>[0];
}

export interface Activity {
  /** The messages that an event gives, in order. */
  add(event: AgentStreamEvent): readonly ActivityMessage[];
}

export const PROGRESS_INTERVAL_MS = 1000;

interface OpenCall {
  readonly tool: ActivityTool;
  readonly since: number | undefined;
  isTold: boolean;
}

export function createActivity(options: ActivityOptions): Activity {
  const { workOrderId, runId, progressIntervalMs = PROGRESS_INTERVAL_MS } = options;
  const progress = createProgress(options.progress);
  const calls = new Map<string, OpenCall>();
  let cwd: string | undefined;
  let toldAt: number | undefined;
  let told = '';

  function callOf(event: EventOf<'tool-call-end'>): OpenCall {
    return calls.get(event.toolCallId) ?? { tool: toolOf(event.toolName), since: undefined, isTold: false };
  }

  function tellCall(toolUseId: string, call: OpenCall, input: unknown, at: number | undefined): ActivityMessage[] {
    if (call.isTold) return [];
    call.isTold = true;
    return [createToolCallEvent(workOrderId, runId, { toolUseId, tool: call.tool, input, at })];
  }

  function endCall(event: EventOf<'tool-call-end'>): ActivityMessage[] {
    const { toolCallId: toolUseId } = event;
    const call = callOf(event);
    calls.delete(toolUseId);
    const at = whenOf(event);
    const taken = at === undefined || call.since === undefined ? undefined : at - call.since;
    return [
      // A call whose input nobody told.
      ...tellCall(toolUseId, call, undefined, at),
      createToolResultEvent(workOrderId, runId, {
        toolUseId,
        success: !hasFailed(event),
        content: textOf(event.content) || (event.error?.message ?? ''),
        durationMs: event.durationMs ?? taken,
        at,
      }),
    ];
  }

  function changeFiles({ changes, outcome, ...event }: EventOf<'file-change'>): ActivityMessage[] {
    if (outcome !== 'success') return [];
    const at = whenOf(event);
    return changes.flatMap(({ path, operation, fromPath, sizeBytes }) => [
      ...(operation === 'move' && fromPath !== undefined
        ? [createFileChangedEvent(workOrderId, runId, { path: within(cwd, fromPath), action: 'deleted', at })]
        : []),
      createFileChangedEvent(workOrderId, runId, {
        path: within(cwd, path),
        action: ACTIONS[operation],
        sizeBytes,
        at,
      }),
    ]);
  }

  function messagesOf(event: AgentStreamEvent): readonly ActivityMessage[] {
    switch (event.type) {
      case 'run-start':
      case 'session-start':
      case 'session-update':
        cwd = event.cwd ?? cwd;
        return [];
      case 'tool-call-start': {
        const tool = toolOf(event.toolName, event.kind, event.tags);
        calls.set(event.toolCallId, { tool, since: whenOf(event), isTold: false });
        return [];
      }
      case 'tool-call-input-end': {
        const call = calls.get(event.toolCallId);
        return call ? tellCall(event.toolCallId, call, event.input, whenOf(event)) : [];
      }
      case 'tool-call-end':
        return endCall(event);
      case 'text-end':
        return event.text === '' ? [] : [createOutputEvent(workOrderId, runId, event.text, whenOf(event))];
      case 'reasoning-end':
        if (!options.includeReasoning || event.text === '') return [];
        return [createOutputEvent(workOrderId, runId, event.text, whenOf(event))];
      case 'file-change':
        return changeFiles(event);
      default:
        return [];
    }
  }

  function progressOf(event: AgentStreamEvent): readonly ActivityMessage[] {
    const at = whenOf(event);
    const isDue = at !== undefined && (toldAt === undefined || at - toldAt >= progressIntervalMs);
    if (!isDue && event.type !== 'turn-end') return [];
    const { phase, percentage, toolCalls, elapsedMs, remainingMs } = progress.progress(at);
    toldAt = at ?? toldAt;
    const data = {
      percentage,
      currentPhase: phase,
      toolCallCount: toolCalls,
      elapsedSeconds: Math.max(0, (elapsedMs ?? 0) / 1000),
      estimatedRemainingSeconds: remainingMs === undefined ? undefined : Math.max(0, remainingMs / 1000),
    };
    // What comes after the end changes nothing about it.
    const before = told;
    told = JSON.stringify(data);
    return told === before ? [] : [createProgressEvent(workOrderId, runId, { ...data, at })];
  }

  return {
    add(event) {
      progress.add(event);
      return [...messagesOf(event), ...progressOf(event)];
    },
  };
}

const ACTIONS = { add: 'created', copy: 'created', move: 'created', modify: 'modified', delete: 'deleted' } as const;

const BY_KIND: Partial<Record<ToolKind, ActivityTool>> = {
  read: 'Read',
  edit: 'Edit',
  search: 'Grep',
  execute: 'Bash',
  fetch: 'WebFetch',
};

/** The tool's own name where it is one of ours, else the nearest thing to what it does. */
function toolOf(name: string, kind?: ToolKind, tags: readonly ToolTag[] = []): ActivityTool {
  const own = ACTIVITY_TOOLS.find((tool) => tool === name);
  if (own) return own;
  // What belongs to a server of tools may be called anything and do anything.
  if (tags.includes('mcp')) return 'Other';
  if (tags.includes('web_search')) return 'WebSearch';
  if (tags.includes('list')) return 'Glob';
  return (kind && BY_KIND[kind]) ?? 'Other';
}

/** When it was: as the agent says, else when it came. */
function whenOf({ time, at }: { readonly time?: number; readonly at?: number }): number | undefined {
  return time ?? at;
}

function textOf(content: EventOf<'tool-call-end'>['content']): string {
  return content
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'json') return JSON.stringify(part.value) ?? '';
      return part.type === 'resource' ? (part.text ?? part.uri) : '';
    })
    .filter((text) => text !== '')
    .join('\n');
}

function within(folder: string | undefined, path: string): string {
  if (folder === undefined || !path.startsWith(folder)) return path;
  const rest = path.slice(folder.length);
  return /^[/\\]./.test(rest) ? rest.slice(1) : path;
}
