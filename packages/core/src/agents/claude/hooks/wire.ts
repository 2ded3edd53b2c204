// What Claude Code writes to the stdin of a hook: one JSON object, the fields by event. Its own spelling is kept.

import type { HookEventName } from '../../dialects/claude/wire.ts';

/** The fields of all events in one: which of them are there depends on `hook_event_name`. */
export interface HookPayload {
  hook_event_name: HookEventName;
  session_id: string;
  transcript_path: string;
  cwd: string;
  /** The prompt that is being answered: the same for everything until the next one, what was typed meanwhile included. */
  prompt_id: string;
  permission_mode: string;
  /** Only inside a sub-agent, and on its start and stop. */
  agent_id: string;
  /** Empty for the helpers that the CLI runs for itself. */
  agent_type: string;
  // Tools.
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response: unknown;
  tool_calls: readonly HookToolCall[];
  duration_ms: number;
  is_interrupt: boolean;
  /** Of a failed call its text, of a failed turn the word for what went wrong. */
  error: string;
  error_details: string;
  reason: string;
  // Conversation.
  prompt: string;
  source: string;
  model: string;
  to_model: string;
  new_cwd: string;
  message_id: string;
  delta: string;
  final: boolean;
  last_assistant_message: string;
  trigger: string;
  compact_summary: string;
  // Questions and remarks.
  message: string;
  title: string;
  notification_type: string;
  mcp_server_name: string;
  elicitation_id: string;
  requested_schema: unknown;
  action: string;
  content: unknown;
  // Files.
  file_path: string;
  event: 'change' | 'add' | 'unlink';
}

/** A call as `PostToolBatch` tells it: here the response is what the model reads. */
export interface HookToolCall {
  tool_name: string;
  tool_input: unknown;
  tool_use_id: string;
  tool_response: unknown;
}
