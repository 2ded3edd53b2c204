// What travels to `useChat` of the AI SDK: its UI message chunks (`ai` 7), written out so that nothing has to be installed for them.
// Fields are not read-only and the shapes are aliases, so that a chunk of ours is one of theirs to the compiler.

import type {
  AgentError,
  AskedQuestion,
  ContentPart,
  Cost,
  FileChange,
  Outcome,
  PermissionOption,
  RawReason,
  RunState,
  StopReason,
  TaskKind,
  TodoEntry,
  ToolKind,
  ToolTag,
  Usage,
} from '../../event/event.ts';
import type { Json } from '../../event/json.ts';

type JsonValue = null | string | number | boolean | JsonValue[] | JsonRecord;
/** An object of JSON, as the AI SDK spells it. */
export type JsonRecord = { [key: string]: JsonValue | undefined };
/** What of ours has no field there. */
export type OwnFacts = { tailrace: JsonRecord };

/** One chunk of a UI message stream. */
export type UIMessageChunk =
  | { type: 'start'; messageId?: string; messageMetadata?: AgentMetadata }
  | { type: 'message-metadata'; messageMetadata: AgentMetadata }
  | { type: 'finish'; finishReason?: UIFinishReason; messageMetadata?: AgentMetadata }
  | { type: 'abort'; reason?: string }
  | { type: 'error'; errorText: string }
  | { type: 'start-step' | 'finish-step' | 'reset-step' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string; providerMetadata?: OwnFacts }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | ({ type: 'tool-input-start'; toolName: string } & UIToolChunk)
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | ({ type: 'tool-input-available'; toolName: string; input: unknown } & UIToolChunk)
  | ({ type: 'tool-output-available'; output: ToolOutput; preliminary?: boolean } & UIToolChunk)
  | ({ type: 'tool-output-error'; errorText: string } & UIToolChunk)
  | { type: 'tool-output-denied'; toolCallId: string }
  | {
      type: 'tool-approval-request';
      approvalId: string;
      toolCallId: string;
      approvalDescriptor?: ApprovalDescriptor;
      reason?: string;
      isAutomatic?: boolean;
    }
  | { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
  | { type: 'steering-message'; id: string; parts: { type: 'text'; text: string }[] }
  | DataChunk;

/** What a chunk about a call may have. The agent has run the tool: `providerExecuted` keeps the client from trying. */
export type UIToolChunk = {
  toolCallId: string;
  dynamic?: boolean;
  providerExecuted?: boolean;
  title?: string;
  toolMetadata?: OwnFacts;
};

export type UIFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';

type DataChunk = {
  [Name in keyof AgentData]: { type: `data-${Name}`; id?: string; data: AgentData[Name]; transient?: boolean };
}[keyof AgentData];

/** The metadata of the message: `UIMessage<AgentMetadata, AgentData>`. It grows while the message does. */
export type AgentMetadata = {
  agent?: string;
  agentVersion?: string;
  sessionId?: string;
  model?: string;
  cwd?: string;
  permissionMode?: string;
  title?: string;
  /** How it ended; absent while it goes on. */
  outcome?: Outcome;
  stopReason?: StopReason;
  error?: AgentError;
  /** Everything so far. */
  usage?: Usage;
  cost?: Cost;
  durationMs?: number;
  context?: { used?: number; size?: number };
};

/** The data parts of the message by name: `todo` is the part `data-todo`. */
export type AgentData = {
  /** The whole list of a thread, each time. */
  todo: { entries: readonly TodoEntry[]; toolCallId?: string; subagentId?: string };
  plan: { text?: string; path?: string; toolCallId?: string; subagentId?: string };
  'file-change': {
    changes: readonly FileChange[];
    outcome: Outcome;
    toolCallId?: string;
    candidates?: readonly string[];
    subagentId?: string;
  };
  /** A sub-agent, or a command that outlives its call. */
  task: TaskData;
  /** A text or a thought of a sub-agent, when it is whole. */
  subagent: { subagentId: string; kind: 'text' | 'reasoning'; text: string };
  error: { error: AgentError; fatal: boolean; subagentId?: string };
  compaction: {
    outcome?: Outcome;
    trigger?: 'manual' | 'auto' | 'overflow';
    tokensBefore?: number;
    tokensAfter?: number;
    summary?: string;
  };
  /** Somebody is asked about something that is no call of this message. */
  permission: {
    requestId?: string;
    toolCallId?: string;
    toolName?: string;
    input?: Json;
    title?: string;
    reason?: string;
    options?: readonly PermissionOption[];
    decision?: 'allowed' | 'denied' | 'cancelled';
  };
  question: {
    requestId: string;
    toolCallId?: string;
    message?: string;
    questions?: readonly AskedQuestion[];
    choices?: readonly string[];
    schema?: Json;
    answer?: Json;
    outcome?: Outcome;
  };
  /** Earlier output is taken back. `isRemoved`: it is gone from the message; otherwise its parts are named by their facts. */
  retract: {
    reason: string;
    isRemoved: boolean;
    messageIds?: readonly string[];
    blockIds?: readonly string[];
    toolCallIds?: readonly string[];
  };
  structured: { value: Json };
  // Transient: told while it happens and not kept in the message.
  notice: { severity: 'info' | 'warning' | 'error'; title: string; description?: string };
  retry: { attempt: number; maxAttempts?: number; delayMs?: number; error?: AgentError; outcome?: Outcome };
  'rate-limit': { status: 'ok' | 'warning' | 'rejected'; window?: string; resetsAt?: number; used?: number };
  run: { state: RunState; reason?: string };
  raw: { reason: RawReason; line?: number; bytes?: number; text?: string; nativeType?: string };
};

export type TaskData = {
  taskId: string;
  kind?: TaskKind;
  status: 'running' | Outcome;
  toolCallId?: string;
  parentTaskId?: string;
  name?: string;
  description?: string;
  model?: string;
  background?: boolean;
  summary?: string;
  lastToolName?: string;
  toolUses?: number;
  result?: string;
  error?: AgentError;
  usage?: Usage;
  durationMs?: number;
};

/** The output of a tool part: what the model was given, and the agent's own structure where it tells one. */
export type ToolOutput = { content: readonly ContentPart[]; output?: Json; exitCode?: number };

/** What `toolMetadata.tailrace` of a tool part holds. */
export type ToolFacts = {
  kind?: ToolKind;
  tags?: readonly ToolTag[];
  mcp?: { server: string; tool: string };
  messageId?: string;
  /** The sub-agent that made the call. */
  subagentId?: string;
  /** What the agent made the call with, where somebody was asked about another input: the part shows that one. */
  calledWith?: Json;
  locations?: readonly { path: string; line?: number }[];
  outcome?: Outcome;
  exitCode?: number;
  durationMs?: number;
  nativeStatus?: string;
  /** Of a call that failed: what its error text cannot hold. */
  content?: readonly ContentPart[];
  output?: Json;
};

/** What is asked of the person, beside the call itself. */
export type ApprovalDescriptor = { title?: string; options?: readonly PermissionOption[] };

/** Where chunks go. */
export type Send = (chunk: UIMessageChunk) => void;
