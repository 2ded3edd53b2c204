// Where Qwen Code's lines differ from Claude's, whose dialect it speaks: `qwen --output-format stream-json`.

export interface QwenLine {
  type: 'system' | 'stream_event' | 'assistant' | 'user' | 'result' | 'control_request' | 'control_response';
  subtype: string;
  uuid: string;
  session_id: string;
  parent_tool_use_id: string | null;
  /** Of `init`. */
  permission_mode: string;
  qwen_code_version: string;
  /** Of every other `system` line: all it has to say. */
  data: Record<string, unknown>;
  event: QwenEvent;
  message: unknown;
  /** Of `result`. */
  is_error: boolean;
  duration_ms: number;
  num_turns: number;
  error: { message: string };
  usage: QwenUsage;
  structured_result: unknown;
  /** Of `control_response`. */
  response: unknown;
}

export interface QwenEvent {
  type: string;
  index: number;
  content_block: unknown;
  delta: unknown;
  message: unknown;
  /** What it works towards; printed whenever it changes. */
  goal_state: { v: number; goal: unknown; activity: string };
  /** Of `tool_progress`. */
  tool_use_id: string;
  content: unknown;
}

/** The input is whole: caches are part of it. */
export interface QwenUsage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  total_tokens: number;
}

/** What the tool that runs a sub-agent takes. */
export interface AgentInput {
  subagent_type: string;
  description: string;
  prompt: string;
}
