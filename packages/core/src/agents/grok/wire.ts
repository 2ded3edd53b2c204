// What Grok Build prints with `--output-format streaming-json`: what ACP says about a session, one update per line, under names of its
// own. Its other format, Claude's dialect, is in messages.ts.

export interface GrokLine {
  type: GrokType;
  /** Of `text` and `thought`. */
  data: string;
  /** Of `tool_call` and `tool_call_update`. */
  toolCallId: string;
  title: string;
  /** ACP's kinds, and a few more. */
  kind: string;
  /** Null: unchanged. */
  status: 'pending' | 'in_progress' | 'completed' | 'failed';
  toolName: string;
  rawInput: unknown;
  rawOutput: GrokOutput;
  /** Empty in an update: not told. */
  content: GrokContent[];
  locations: { path: string; line: number }[];
  /** Of `plan`. */
  entries: { content: string; priority: 'high' | 'medium' | 'low'; status: string; _meta: { cancelled: boolean } }[];
  /** Of `available_commands`. */
  tools: string[];
  commands: string[];
  /** Of `usage`, which closes a model call, of `end` and of `error`. */
  usage: GrokUsage;
  /** Of `usage`: the provider's own word. Of `end`: ACP's. */
  stopReason: string;
  signature: string;
  /** Of `end`; those on money may be on `error` too. */
  sessionId: string;
  modelUsage: Record<string, GrokModelUsage>;
  total_cost_usd: number;
  /** Then the count is no total. */
  usage_is_incomplete: boolean;
  structuredOutput: unknown;
  structuredOutputError: string;
  /** Of `error`, `image_compressed` and `config_notice`. */
  message: string;
  /** Of `auto_compact_failed`. */
  error: string;
}

export type GrokType =
  | 'text'
  | 'thought'
  | 'tool_call'
  | 'tool_call_update'
  | 'plan'
  | 'available_commands'
  | 'usage'
  | 'end'
  | 'error'
  | 'max_turns_reached'
  | 'auto_compact_started'
  | 'auto_compact_completed'
  | 'auto_compact_failed'
  | 'auto_compact_cancelled'
  | 'auto_continue_completed'
  | 'image_compressed'
  | 'memory_flush_started'
  | 'memory_flush_completed'
  | 'memory_capture_activity'
  // Later versions.
  | 'config_notice'
  | 'response_discarded';

/** Caches come on top of the input; reasoning is part of the output. */
export interface GrokUsage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  reasoning_tokens: number;
}

export interface GrokModelUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  costUSD: number;
}

export interface GrokContent {
  type: 'content' | 'diff' | 'terminal';
  path: string;
  /** Null for a new file. */
  oldText: string;
  newText: string;
}

/** What a tool gives to programs. What it is about stands under a name that says how it went: `EditsApplied`, `FileNotFound`. */
export interface GrokOutput {
  type: string;
  /** Of a command: byte values, and the exit code, which is 0 while it runs. */
  output: number[];
  output_for_prompt: string;
  exit_code: number;
  timed_out: boolean;
  /** Of a sub-agent. */
  subagent_id: string;
  tool_calls: number;
  duration_ms: number;
  /** Of a sub-agent that was sent off: what the model is told. */
  text: string;
  /** Of a command that was sent off. */
  task_id: string;
  /** How something that was sent off did. */
  Result: { task_id: string; status: string; output: string };
  EditsApplied: { absolute_path: string; tool_output_for_prompt: string };
  PlanReady: { plan_content: string; plan_file_path: string };
}
