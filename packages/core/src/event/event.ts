// The neutral vocabulary: one discriminated union that every agent's stream is translated into and everything else is made from.
// docs/events.md explains each event with an example; docs/decisions/ says why a field is here.

import type { Json } from './json.ts';

/** Facts every event may carry. `type` is the discriminator of {@link AgentStreamEvent}. */
export interface EventBase {
  /** 0, 1, 2 … within one decoder. Not a cursor: another decoder counts anew. */
  readonly seq: number;
  /** The source line, counted from 1, blank lines included. Several events may share one. */
  readonly line?: number;
  /** Epoch milliseconds, only when the agent's own line carried a time. */
  readonly time?: number;
  /** Epoch milliseconds of arrival, given by the host; absent for a bare file. */
  readonly at?: number;
  /**
   * Set by the session fold: the agent's time of the last answer or tool result before it in its own stream. It says where an
   * event without a time, or one that comes late, belongs.
   */
  readonly after?: number;
  /** The agent's own id of the line, on the few events that have no id of their own (notices, errors, boundaries, raw lines). */
  readonly lineId?: string;
  /** Set by the session fold: the stream it came from, whose lines `line` counts. */
  readonly from?: string;
  readonly sessionId?: string;
  /** `taskId` of the agent task that produced it; absent on the main thread. */
  readonly subagentId?: string;
  /** No line said it: the translator closed or derived it. */
  readonly synthetic?: true;
  /** One agent's own fields, under its name. */
  readonly extra?: Readonly<Record<string, Json>>;
  /** The agent's message, on the first event of its line, when the decoder was made with `keepMessage`. */
  readonly native?: Json;
}

export type Outcome = 'success' | 'error' | 'denied' | 'cancelled' | 'unknown';

/** Why a model call or a turn stopped. The first five are ACP's words. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'max_turn_requests'
  | 'refusal'
  | 'cancelled'
  | 'tool_use'
  | 'stop_sequence'
  | 'content_filter'
  | 'max_budget'
  | 'context_full'
  | 'error'
  | 'unknown';

export type ErrorCode =
  | 'authentication'
  | 'permission'
  | 'billing'
  | 'rate_limit'
  | 'overloaded'
  | 'invalid_request'
  | 'model_not_found'
  | 'context_full'
  | 'content_filter'
  | 'network'
  | 'server'
  | 'timeout'
  | 'max_turns'
  | 'max_budget'
  | 'structured_output'
  | 'tool_not_found'
  | 'invalid_input'
  | 'denied'
  | 'cancelled'
  | 'unknown';

/** What went wrong, in our word (`code`), the agent's (`nativeCode`) and a sentence. */
export interface AgentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly nativeCode?: string;
  readonly httpStatus?: number;
  readonly retryable?: boolean;
}

/** Inclusive counts: caches are part of input, reasoning is part of output. An absent count was not told. */
export interface Usage {
  readonly inputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** The part of `cacheWriteTokens` that is kept for an hour, which costs more than the five-minute part. */
  readonly cacheWrite1hTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
  readonly totalTokens?: number;
}

export interface Cost {
  readonly amount: number;
  readonly currency: string;
  /** True when it was worked out from a price table instead of being told by the agent. */
  readonly estimated?: boolean;
}

/** What one model took, with its cost where it is known. */
export type ModelUsage = Usage & { readonly cost?: Cost };

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly mediaType: string; readonly data?: string; readonly uri?: string }
  | {
      readonly type: 'resource';
      readonly uri: string;
      readonly mediaType?: string;
      readonly text?: string;
      readonly title?: string;
    }
  | { readonly type: 'json'; readonly value: Json };

/** ACP's ten kinds of tool. */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'switch_mode'
  | 'other';

/** What the ten kinds do not tell. */
export type ToolTag =
  | 'list'
  | 'todo'
  | 'subagent'
  | 'question'
  | 'skill'
  | 'web_search'
  | 'background'
  | 'schedule'
  | 'memory'
  | 'image'
  | 'mcp'
  | 'patch'
  | 'notebook'
  | 'worktree'
  | 'tool_search';

export interface Location {
  readonly path: string;
  readonly line?: number;
}

export interface FileChange {
  readonly path: string;
  readonly operation: 'add' | 'modify' | 'delete' | 'move' | 'copy';
  readonly fromPath?: string;
  /** Null when the file did not exist; absent when nobody told. */
  readonly oldText?: string | null;
  readonly newText?: string;
  /** Unified hunks, without file headers. */
  readonly patch?: string;
  /** As the patch tells. Of a new file all lines of `newText` are added. */
  readonly linesAdded?: number;
  readonly linesRemoved?: number;
  readonly sizeBytes?: number;
}

export interface TodoEntry {
  readonly id?: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
  readonly priority?: 'high' | 'medium' | 'low';
}

/** A sub-agent, or a command or workflow that may outlive the call which started it. */
export type TaskKind = 'agent' | 'command' | 'workflow' | 'other';

export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
}

/** One of the questions that a person is asked. */
export interface AskedQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  /** More than one option may be chosen. */
  readonly isMultiple?: true;
}

export interface McpServer {
  readonly name: string;
  readonly status?: string;
}

export interface McpTool {
  readonly server: string;
  readonly tool: string;
}

/** Why a line, or a part of one, came out as `raw`. */
export type RawReason =
  | 'unknown_type'
  | 'unknown_block'
  | 'not_json'
  | 'too_long'
  | 'too_deep'
  | 'cut_off'
  | 'spliced'
  | 'no_counterpart';

/** What a run is doing, in the words that people are shown (`waiting` is "waiting for you"). */
export type RunState = 'starting' | 'working' | 'waiting' | 'idle' | 'stalled' | 'finishing' | 'ended';

/** One event of the union for each of the types it is given. */
type E<T extends string, F = object> = T extends string ? EventBase & { readonly type: T } & Readonly<F> : never;

/** What the session is run with; told at its start and whenever a part of it changes. */
interface SessionFacts {
  agentVersion?: string;
  model?: string;
  cwd?: string;
  permissionMode?: string;
  tools?: readonly string[];
  mcpServers?: readonly McpServer[];
  commands?: readonly string[];
}

/** One neutral event. Readers switch on `type`; see docs/events.md for the promises about order and ids. */
export type AgentStreamEvent =
  // The run: one process, as whoever started it tells. These may come before `session-start`. `workOrderId`: their name for the work.
  | E<
      'run-start',
      { runId: string; agent: string; prompt?: string; promptId?: string; cwd?: string; workOrderId?: string }
    >
  // `toolCallIds`: what it is working on; `reason`: why it is finishing or has ended.
  | E<'run-state', { state: RunState; toolCallIds?: readonly string[]; reason?: string }>
  // The session, as one process shows it.
  | E<'session-start', SessionFacts & { agent: string; resumed?: boolean }>
  | E<'session-update', SessionFacts & { title?: string; state?: 'running' | 'idle' | 'requires_action' }>
  | E<
      'session-end',
      {
        outcome: Outcome;
        error?: AgentError;
        usage?: Usage;
        cost?: Cost;
        turns?: number;
        exitCode?: number;
        signal?: string;
      }
    >
  // A turn is one prompt answered, a step is one model call.
  | E<'turn-start', { turnId: string }>
  | E<
      'turn-end',
      {
        turnId: string;
        outcome: Outcome;
        stopReason?: StopReason;
        result?: string;
        structured?: Json;
        error?: AgentError;
        /** Everything this turn took, sub-agents and side calls included. */
        usage?: Usage;
        cost?: Cost;
        /** The main thread's part of `usage`, where the agent tells it apart. */
        mainUsage?: Usage;
        /** This turn's usage by model. */
        models?: Readonly<Record<string, ModelUsage>>;
        steps?: number;
        durationMs?: number;
        apiDurationMs?: number;
      }
    >
  | E<'step-start', { stepId: string; model?: string }>
  | E<'step-end', { stepId: string; stopReason?: StopReason; usage?: Usage; cost?: Cost; model?: string }>
  // Content.
  | E<
      'user-message',
      {
        messageId?: string;
        content: readonly ContentPart[];
        origin: 'prompt' | 'steering' | 'replay' | 'injected';
      }
    >
  | E<'message-start', { messageId: string; model?: string }>
  | E<'message-end', { messageId: string; stopReason?: StopReason; usage?: Usage; error?: AgentError }>
  | E<
      'message-retract',
      {
        messageIds?: readonly string[];
        blockIds?: readonly string[];
        toolCallIds?: readonly string[];
        reason: string;
      }
    >
  | E<'text-start' | 'reasoning-start', { messageId: string; blockId: string }>
  | E<'text-delta' | 'reasoning-delta', { messageId: string; blockId: string; delta: string }>
  // `partial`: the agent stopped in the middle of it, so the text is not whole.
  | E<'text-end', { messageId: string; blockId: string; text: string; partial?: true }>
  | E<
      'reasoning-end',
      {
        messageId: string;
        blockId: string;
        text: string;
        form: 'full' | 'summary' | 'redacted' | 'unknown';
        signature?: string;
        durationMs?: number;
        partial?: true;
      }
    >
  // Tools.
  | E<
      'tool-call-start',
      {
        toolCallId: string;
        toolName: string;
        kind: ToolKind;
        tags?: readonly ToolTag[];
        title?: string;
        messageId?: string;
        mcp?: McpTool;
        serverSide?: boolean;
      }
    >
  | E<'tool-call-input-delta', { toolCallId: string; delta: string }>
  | E<'tool-call-input-end', { toolCallId: string; input: Json; title?: string; locations?: readonly Location[] }>
  | E<
      'tool-call-update',
      {
        toolCallId: string;
        status?: 'pending' | 'in_progress' | 'paused';
        title?: string;
        outputDelta?: string;
        outputSnapshot?: string;
        stream?: 'stdout' | 'stderr';
        locations?: readonly Location[];
        elapsedMs?: number;
      }
    >
  | E<
      'tool-call-end',
      {
        toolCallId: string;
        toolName: string;
        outcome: Outcome;
        content: readonly ContentPart[];
        output?: Json;
        exitCode?: number;
        error?: AgentError;
        nativeStatus?: string;
        durationMs?: number;
      }
    >
  // `candidates`: the calls that could have caused it, when it is not certain which did.
  | E<
      'file-change',
      { toolCallId?: string; changes: readonly FileChange[]; outcome: Outcome; candidates?: readonly string[] }
    >
  // Plans and helpers.
  | E<'todo-update', { entries: readonly TodoEntry[]; toolCallId?: string }>
  | E<'plan-update', { text?: string; path?: string; toolCallId?: string }>
  | E<
      'task-start',
      {
        taskId: string;
        kind: TaskKind;
        toolCallId?: string;
        parentTaskId?: string;
        name?: string;
        description?: string;
        prompt?: string;
        model?: string;
        background?: boolean;
      }
    >
  | E<
      'task-update',
      {
        taskId: string;
        status?: string;
        summary?: string;
        usage?: Usage;
        toolUses?: number;
        lastToolName?: string;
        background?: boolean;
      }
    >
  | E<
      'task-end',
      {
        taskId: string;
        outcome: Outcome;
        result?: string;
        error?: AgentError;
        usage?: Usage;
        toolUses?: number;
        durationMs?: number;
      }
    >
  // Accounting and weather.
  | E<
      'usage-update',
      {
        scope: 'step' | 'turn' | 'session' | 'context';
        usage?: Usage;
        cost?: Cost;
        model?: string;
        /** `usage` by model, where the agent tells it. */
        models?: Readonly<Record<string, ModelUsage>>;
        /** With scope `session`: the figures are of everything since this time of the agent's, and take the place of it. */
        since?: number;
        estimated?: true;
        contextUsed?: number;
        contextSize?: number;
      }
    >
  | E<'rate-limit-update', { status: 'ok' | 'warning' | 'rejected'; window?: string; resetsAt?: number; used?: number }>
  | E<'retry-start', { attempt: number; maxAttempts?: number; delayMs?: number; error?: AgentError }>
  | E<'retry-end', { attempt: number; outcome: Outcome }>
  | E<'compaction-start', { compactionId: string; trigger?: 'manual' | 'auto' | 'overflow' }>
  | E<
      'compaction-end',
      {
        compactionId: string;
        outcome: Outcome;
        trigger?: 'manual' | 'auto' | 'overflow';
        tokensBefore?: number;
        tokensAfter?: number;
        summary?: string;
        durationMs?: number;
      }
    >
  // Questions to the host.
  | E<
      'permission-request',
      {
        requestId: string;
        toolCallId?: string;
        toolName?: string;
        input?: Json;
        title?: string;
        reason?: string;
        options?: readonly PermissionOption[];
      }
    >
  | E<
      'permission-resolve',
      {
        requestId?: string;
        toolCallId?: string;
        decision: 'allowed' | 'denied' | 'cancelled';
        by: 'user' | 'policy' | 'agent' | 'unknown';
        optionId?: string;
        reason?: string;
      }
    >
  | E<
      'question-request',
      {
        requestId: string;
        toolCallId?: string;
        /** All of it in words. */
        message: string;
        /** What is asked, one by one, where the agent tells; an answer goes by the text of each. */
        questions?: readonly AskedQuestion[];
        /** What the answer has to look like, or the agent's own form of the question. */
        schema?: Json;
        /** What may be chosen, when it is one question. */
        choices?: readonly string[];
      }
    >
  | E<'question-resolve', { requestId: string; answer?: Json; outcome: Outcome }>
  // Everything else.
  | E<'hook-start', { hookId: string; name: string; on?: string }>
  | E<'hook-end', { hookId: string; outcome: Outcome; output?: string; exitCode?: number }>
  | E<'notice', { severity: 'info' | 'warning' | 'error'; title: string; description?: string; nativeCode?: string }>
  | E<'error', { error: AgentError; fatal: boolean }>
  | E<'raw', { reason: RawReason; bytes?: number; offset?: number; value?: Json; text?: string; nativeType?: string }>;

export type EventType = AgentStreamEvent['type'];

/** The events of one type, or of several. */
export type EventOf<T extends EventType> = Extract<AgentStreamEvent, { readonly type: T }>;
