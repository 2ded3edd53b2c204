// What OpenCode prints with `run --format json`: the parts of the session's messages as they become whole, and errors. Nothing is
// printed when a call begins, when a model call is tried again, or at the end. Source: packages/opencode/src/cli/cmd/run.ts.

export interface OpenCodeLine {
  type: 'step_start' | 'step_finish' | 'text' | 'reasoning' | 'tool_use' | 'error';
  /** Epoch milliseconds. */
  timestamp: number;
  sessionID: string;
  /** Of all but `error`. */
  part: Part;
  error: WireError;
}

/** A part of a message; its own `type` says the same as the line's. */
export interface Part {
  id: string;
  messageID: string;
  /** Of `text` and `reasoning`. */
  text: string;
  /** Of `text`: OpenCode wrote it into the user's message; `ignored` is not for the model. */
  synthetic: boolean;
  ignored: boolean;
  time: Span;
  metadata: PartMetadata;
  /** Of `step_finish`. */
  reason: string;
  tokens: Tokens;
  cost: number;
  /** Of `tool_use`. */
  tool: string;
  callID: string;
  state: ToolState;
}

export interface PartMetadata {
  anthropic: { signature: string };
  /** Of a text: what the model is told after its history was summarised. */
  compaction_continue: boolean;
  /** Of a call: the model's provider ran it. */
  providerExecuted: boolean;
}

export interface Span {
  start: number;
  end: number;
  /** The result was taken out of the model's history: the call is printed again for it. */
  compacted: number;
}

/** `input` does not hold the caches, `output` does not hold the reasoning. */
export interface Tokens {
  total: number;
  input: number;
  output: number;
  reasoning: number;
  cache: { read: number; write: number };
}

export interface ToolState {
  status: 'completed' | 'error';
  input: Record<string, unknown>;
  title: string;
  /** Of a completed call; a command that failed is completed too. */
  output: string;
  attachments: Attachment[];
  error: string;
  metadata: ToolMetadata;
  time: Span;
}

export interface Attachment {
  mime: string;
  /** Mostly `data:…;base64,…`. */
  url: string;
  filename: string;
}

/** What the tools add to their results, each its own. */
export interface ToolMetadata {
  /** bash; null when the command was stopped. */
  exit: number;
  /** write: the file, and whether it was there before. */
  filepath: string;
  exists: boolean;
  /** edit. */
  filediff: { file: string; patch: string; additions: number; deletions: number };
  /** apply_patch. */
  files: PatchedFile[];
  /** todowrite. */
  todos: { content: string; status: string; priority: string }[];
  /** task: the sub-agent's session. */
  sessionId: string;
  model: { modelID: string };
  background: boolean;
  /** The run was stopped while the call ran. */
  interrupted: boolean;
}

export interface PatchedFile {
  filePath: string;
  movePath: string;
  type: 'add' | 'update' | 'move' | 'delete';
  patch: string;
  additions: number;
  deletions: number;
}

/** An error of the session, or the answer to a request that was refused, which may have a tag and a message instead. */
export interface WireError {
  name: string;
  _tag: string;
  message: string;
  data: { message: string; statusCode: number; isRetryable: boolean };
}
