// What Codex prints with `exec --json`: a thread, its turns, and items that start, change and complete. No times, no model, and
// nothing of what a sub-agent does. The items are `ThreadItem` in @openai/codex-sdk, which lacks some of what is printed.

export interface CodexLine {
  type:
    | 'thread.started'
    | 'turn.started'
    | 'turn.completed'
    | 'turn.failed'
    | 'item.started'
    | 'item.updated'
    | 'item.completed'
    | 'error';
  /** Of `thread.started`. */
  thread_id: string;
  /** Of `turn.completed`: what the thread has used so far. */
  usage: CodexUsage;
  /** Of `turn.failed`. */
  error: { message: string };
  /** Of `error`. */
  message: string;
  item: CodexItem;
}

export interface CodexUsage {
  input_tokens: number;
  cached_input_tokens: number;
  cache_write_input_tokens: number;
  output_tokens: number;
  reasoning_output_tokens: number;
}

/** The fields of all types of items together. */
export interface CodexItem {
  /** Of a web search it is printed twice with two values; whoever parses JSON gets the second. */
  id: string;
  type: string;
  status: 'in_progress' | 'completed' | 'failed' | 'declined';
  /** Of `agent_message` and `reasoning`. */
  text: string;
  /** Of `error`. */
  message: string;
  /** Of `command_execution`. */
  command: string;
  aggregated_output: string;
  exit_code: number | null;
  /** Of `file_change`. */
  changes: CodexChange[];
  /** Of `mcp_tool_call` and `collab_tool_call`. */
  tool: string;
  /** Of `mcp_tool_call`. */
  server: string;
  arguments: unknown;
  result: { content: unknown[]; structured_content: unknown } | null;
  error: { message: string } | null;
  /** Of `collab_tool_call`. */
  receiver_thread_ids: string[];
  prompt: string | null;
  agents_states: Record<string, CodexAgentState>;
  /** Of `web_search`. */
  query: string;
  action: { type: string; query: string; queries: string[]; url: string; pattern: string };
  results: unknown;
  /** Of `todo_list`. */
  items: { text: string; completed: boolean }[];
}

export interface CodexChange {
  path: string;
  /** With a move, other faces of Codex print `{ type, move_path }`. */
  kind: 'add' | 'delete' | 'update' | { type: string; move_path: string | null };
  diff: string;
}

export interface CodexAgentState {
  status: 'pending_init' | 'running' | 'interrupted' | 'completed' | 'errored' | 'shutdown' | 'not_found';
  message: string | null;
}
