// What goose prints with `run --output-format stream-json`: the messages of the conversation, in chunks, and a total at the end. Before
// them stands a banner unless it is told to be quiet. Errors and stops are ordinary messages that goose itself has written.

export interface GooseLine {
  type: 'message' | 'notification' | 'error' | 'complete';
  message: GooseMessage;
  /** Of `notification`: the id of a call or the name of an extension, and either of the two below. */
  extension_id: string;
  log: { message: string };
  progress: { progress: number; total: number; message: string };
  /** Of `error`. */
  error: string;
  /** Of `complete`: of the session so far; null when nobody told, as after an error. */
  total_tokens: number;
  input_tokens: number;
  output_tokens: number;
  /** Told by later versions. */
  cache_read_input_tokens: number;
  cache_write_input_tokens: number;
  cost_usd: number;
}

export interface GooseMessage {
  /** Chunks of one answer share it. Null: goose itself speaks. */
  id: string;
  role: 'user' | 'assistant';
  /** Unix seconds. */
  created: number;
  content: GoosePart[];
  metadata: { userVisible: boolean; agentVisible: boolean };
}

export interface GoosePart {
  type: GoosePartType;
  text: string;
  thinking: string;
  signature: string;
  /** Of a call and of its result. */
  id: string;
  toolCall: Wrapped<GooseCall>;
  toolResult: Wrapped<GooseResult>;
  _meta: { goose_extension: string };
  /** Of `systemNotification`. */
  notificationType: 'thinkingMessage' | 'inlineMessage' | 'creditsExhausted';
  msg: string;
  /** Of `actionRequired`. */
  data: GooseAction;
  /** Of `toolConfirmationRequest`. */
  toolName: string;
  arguments: unknown;
  prompt: string;
}

export type GoosePartType =
  | 'text'
  | 'image'
  | 'thinking'
  | 'redactedThinking'
  | 'reasoning'
  | 'toolRequest'
  | 'frontendToolRequest'
  | 'toolResponse'
  | 'systemNotification'
  | 'actionRequired'
  | 'toolConfirmationRequest'
  | 'conversationCompacted';

/** A value, or why there is none. */
export interface Wrapped<T> {
  status: 'success' | 'error';
  value: T;
  error: string;
}

export interface GooseCall {
  name: string;
  arguments: unknown;
}

/** A result of MCP. */
export interface GooseResult {
  content: unknown;
  /** Of `shell`. */
  structuredContent: { exit_code: number; timed_out: boolean };
  /** Absent: it is none. */
  isError: boolean;
  /** Of `delegate`, and of `load` when it gives the result of one. */
  _meta: { subagent_session_id: string };
}

export interface GooseAction {
  actionType: 'toolConfirmation' | 'elicitation' | 'elicitationResponse';
  id: string;
  toolName: string;
  arguments: unknown;
  prompt: string;
  message: string;
  requested_schema: unknown;
  user_data: unknown;
}
