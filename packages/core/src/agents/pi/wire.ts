// What pi prints with `--mode json`: a header with the session, then every event of the agent as it is. What pi calls a turn is one
// model call with its tools, a step to us. Lines repeat each other: `message_end` what came in pieces, `turn_end` and `agent_end`
// everything.

export interface PiLine {
  type: PiType;
  /** Of `session`. Its version is the format's, not pi's. */
  version: number;
  id: string;
  timestamp: string;
  cwd: string;
  /** Of `message_start` and `message_end`. */
  message: PiMessage;
  /** Of `message_update`. */
  assistantMessageEvent: PiPiece;
  /** Of `tool_execution_*`. */
  toolCallId: string;
  toolName: string;
  args: unknown;
  partialResult: PiResult;
  result: PiResult & PiCompaction;
  isError: boolean;
  /** Of `agent_end` and `compaction_end`. */
  willRetry: boolean;
  /** Of `auto_retry_start` and `summarization_retry_scheduled`. */
  attempt: number;
  maxAttempts: number;
  delayMs: number;
  errorMessage: string;
  /** Of `auto_retry_end`. */
  success: boolean;
  /** Of `compaction_start` and `compaction_end`. */
  reason: 'manual' | 'threshold' | 'overflow';
  aborted: boolean;
  /** Of `entry_appended`. */
  entry: PiEntry;
  /** Of `session_info_changed`. */
  name: string;
}

export type PiType =
  | 'session'
  | 'agent_start'
  | 'agent_end'
  | 'agent_settled'
  | 'turn_start'
  | 'turn_end'
  | 'message_start'
  | 'message_update'
  | 'message_end'
  | 'tool_execution_start'
  | 'tool_execution_update'
  | 'tool_execution_end'
  | 'queue_update'
  | 'entry_appended'
  | 'session_info_changed'
  | 'thinking_level_changed'
  | 'compaction_start'
  | 'compaction_end'
  | 'auto_retry_start'
  | 'auto_retry_end'
  | 'summarization_retry_scheduled'
  | 'summarization_retry_attempt_start'
  | 'summarization_retry_finished'
  | 'bash_execution_update';

export interface PiMessage {
  /** Extensions may have roles of their own. */
  role:
    | 'system'
    | 'user'
    | 'assistant'
    | 'toolResult'
    | 'bashExecution'
    | 'custom'
    | 'branchSummary'
    | 'compactionSummary';
  /** A text, or a list of parts. */
  content: PiPart[];
  /** Epoch milliseconds; of an answer, when it began. */
  timestamp: number;
  /** Of an answer. */
  model: string;
  responseId: string;
  usage: PiUsage;
  /** `pending` while it is being written. */
  stopReason: 'pending' | 'stop' | 'length' | 'toolUse' | 'error' | 'aborted' | 'deferred';
  /** The provider's own word for it. */
  rawStopReason: string;
  errorMessage: string;
  /** Of a tool's result. */
  toolCallId: string;
  isError: boolean;
  details: PiDetails;
  /** Of the system's. */
  toolsAdded: { name: string }[];
  toolsRemoved: unknown[];
}

/** What an answer is made of. Images stand only in what others say. */
export interface PiPart {
  type: 'text' | 'thinking' | 'toolCall' | 'image';
  text: string;
  thinking: string;
  thinkingSignature: string;
  redacted: boolean;
  id: string;
  name: string;
  arguments: unknown;
}

/** A piece of an answer. `contentIndex` is the place of its part in the answer. */
export interface PiPiece {
  type:
    | 'start'
    | 'text_start'
    | 'text_delta'
    | 'text_end'
    | 'thinking_start'
    | 'thinking_delta'
    | 'thinking_end'
    | 'toolcall_start'
    | 'toolcall_delta'
    | 'toolcall_end'
    | 'done'
    | 'error';
  contentIndex: number;
  delta: string;
  /** The whole text, when it is over. */
  content: string;
  id: string;
  toolName: string;
  toolCall: PiPart;
}

/** Caches come on top of `input`; reasoning is part of `output`. */
export interface PiUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h: number;
  reasoning: number;
  totalTokens: number;
  cost: { total: number };
}

export interface PiResult {
  content: unknown;
  details: PiDetails;
}

/** Of `edit`: what it changed. */
export interface PiDetails {
  diff: string;
  patch: string;
}

export interface PiCompaction {
  summary: string;
  tokensBefore: number;
  estimatedTokensAfter: number;
  usage: PiUsage;
}

/** An entry of the session's file. */
export interface PiEntry {
  type: string;
  model: string;
  usage: PiUsage;
}
