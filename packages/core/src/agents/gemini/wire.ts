// What Gemini CLI prints with `--output-format stream-json`: six types of lines, each with its time. What the model thinks is not
// printed, nor the exit code of a command, nor what a sub-agent does.

export interface GeminiLine {
  type: 'init' | 'message' | 'tool_use' | 'tool_result' | 'error' | 'result';
  /** ISO 8601. */
  timestamp: string;
  /** Of `init`. */
  session_id: string;
  model: string;
  /** Of `message`. The assistant's come in pieces, with nothing to mark the last. */
  role: 'user' | 'assistant';
  content: string;
  delta: boolean;
  /** Of `tool_use` and `tool_result`. */
  tool_name: string;
  tool_id: string;
  parameters: Record<string, unknown>;
  /** Of `tool_result` and `result`. */
  status: 'success' | 'error';
  /** What is shown to people; absent when that is no text. */
  output: string;
  /** Of `tool_result` and `result`; the latter can fail without one. */
  error: GeminiError;
  /** Of `error`. */
  severity: 'warning' | 'error';
  message: string;
  /** Of `result`. */
  stats: GeminiStats;
}

export interface GeminiError {
  type: string;
  message: string;
}

/** `input` is what was not in a cache. What the model thought is in the total alone. */
export interface GeminiTokens {
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
  cached: number;
  input: number;
}

/** Of the whole process, sub-agents and side calls included. */
export interface GeminiStats extends GeminiTokens {
  /** 0 when it failed. */
  duration_ms: number;
  tool_calls: number;
  models: Record<string, GeminiTokens>;
}
