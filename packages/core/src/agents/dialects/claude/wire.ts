// What Claude Code prints with `--output-format stream-json`, in its own spelling: one group of types per message family.
// Written from the captures in fixtures/claude and the published types of version 2.1.325. The wire is open: every field is
// read through `Loose`, which checks the names here and trusts none of the values.

/** Fields that nearly every line carries. `sessionId` and `parentToolUseId` are spellings of look-alikes. */
export interface WireLine {
  type: string;
  subtype?: string;
  uuid?: string;
  session_id?: string;
  sessionId?: string;
  parent_tool_use_id?: string | null;
  parentToolUseId?: string | null;
  timestamp?: string;
  agent_id?: string;
  /** Ours: a session file tells it beside the lines. */
  parent_agent_id?: string;
  /** Ours: the first line of a sub-agent's file says what it was asked. */
  task_prompt?: string;
  subagent_type?: string;
  task_description?: string;
}

// ── Conversation: `assistant`, `user` ─────────────────────────────────────────────────────────────

export interface AssistantLine extends WireLine {
  message: WireMessage;
  /** A mock's shape: the content moved up. */
  content?: string | WireBlock[];
  error?: string;
  request_id?: string;
  supersedes?: string[];
  aborted?: true;
  thinking_duration_ms?: number;
  thinking_display?: string;
  tool_use_meta?: ToolUseMeta[];
  is_api_error_message?: boolean;
  api_error_status?: number;
  api_error_type?: string;
  local_command_source?: string;
  /** What the line cost, on lines of early session files. */
  costUSD?: number | null;
}

export interface WireMessage {
  id?: string;
  type?: string;
  role?: 'assistant' | 'user';
  model?: string;
  content?: string | WireBlock[];
  stop_reason?: string | null;
  usage?: WireUsage;
}

export interface ToolUseMeta {
  id: string;
  display_name?: string;
  server_display_name?: string;
  tool_name?: string;
}

export interface UserLine extends WireLine {
  message: WireMessage;
  content?: string | WireBlock[];
  tool_use_result?: unknown;
  tool_result_meta?: ToolResultMeta[];
  isSynthetic?: boolean;
  isReplay?: boolean;
  origin?: { kind: string };
}

export interface ToolResultMeta {
  id: string;
  non_execution_kind?: string;
  user_feedback?: string;
  permission_decision?: { decision?: string; source?: string; reason_type?: string };
}

// ── Content blocks ────────────────────────────────────────────────────────────────────────────────

/** All blocks in one: which fields are there depends on `type`. */
export interface WireBlock {
  type: string;
  text?: string;
  citations?: unknown[] | null;
  thinking?: string;
  signature?: string;
  data?: string;
  id?: string;
  name?: string;
  /** A look-alike's spelling of `name`. */
  tool?: string;
  input?: unknown;
  server_name?: string;
  mcp_server_name?: string;
  tool_use_id?: string;
  content?: unknown;
  output?: unknown;
  is_error?: boolean;
  isError?: boolean;
  source?: unknown;
  title?: string;
  file_id?: string;
  from?: { model?: string };
  to?: { model?: string };
  tool_name?: string;
}

export interface WireSource {
  type: string;
  media_type?: string;
  data?: string;
  url?: string;
  file_id?: string;
}

/** The content of a server tool's result, all kinds in one. */
export interface ServerToolResult {
  type: string;
  error_code?: string;
  stdout?: string;
  stderr?: string;
  return_code?: number;
  text?: string;
  url?: string;
  title?: string;
}

// ── `stream_event` ────────────────────────────────────────────────────────────────────────────────

export interface StreamLine extends WireLine {
  event: StreamEvent;
  api_message_id?: string;
  abandoned_blocks?: { api_message_id?: string; from_block_index?: number };
  thinking_display?: string;
}

/** The API's own events, all in one. */
export interface StreamEvent {
  type: string;
  index?: number;
  message?: WireMessage;
  content_block?: WireBlock;
  delta?: StreamDelta;
  usage?: WireUsage;
  error?: { type?: string; message?: string };
}

export interface StreamDelta {
  type?: string;
  text?: string;
  thinking?: string;
  partial_json?: string;
  signature?: string;
  citation?: unknown;
  content?: string;
  stop_reason?: string | null;
}

// ── Usage ─────────────────────────────────────────────────────────────────────────────────────────

/** The API's counts: `input_tokens` does not include the caches. */
export interface WireUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  cache_creation?: { ephemeral_5m_input_tokens?: number; ephemeral_1h_input_tokens?: number };
  output_tokens_details?: { thinking_tokens?: number };
}

/** The CLI's counts by model, in camel case. */
export interface WireModelUsage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadInputTokens?: number;
  cacheCreationInputTokens?: number;
  cacheCreationEphemeral1hInputTokens?: number;
  thinkingTokens?: number;
  costUSD?: number;
  contextWindow?: number;
}

// ── `result` ──────────────────────────────────────────────────────────────────────────────────────

export interface ResultLine extends WireLine {
  is_error?: boolean;
  isError?: boolean;
  result?: unknown;
  error?: unknown;
  errors?: string[];
  structured_output?: unknown;
  stop_reason?: string | null;
  terminal_reason?: string;
  api_error_status?: number | null;
  api_error_type?: string;
  duration_ms?: number;
  duration_api_ms?: number;
  usage?: WireUsage;
  modelUsage?: Record<string, WireModelUsage>;
  model_usage_since_last_result?: Record<string, WireModelUsage>;
  total_cost_usd?: number;
  cost_usd?: number;
  costUSD?: number;
  permission_denials?: { tool_name?: string; tool_use_id?: string }[];
  local_command?: string;
  num_turns?: number;
  result_index?: number;
  startup_failure_reason?: string;
  deferred_tool_use?: unknown;
}

/** Mocks print an object where the CLI prints a string. */
export interface ResultObject {
  content?: unknown;
  usage?: WireUsage;
  stop_reason?: string;
}

// ── `system` ──────────────────────────────────────────────────────────────────────────────────────

export interface InitLine extends WireLine {
  cwd?: string;
  model?: string;
  permissionMode?: string;
  tools?: string[];
  mcp_servers?: ({ name: string; status?: string } | string)[];
  slash_commands?: string[];
  claude_code_version?: string;
}

export interface StatusLine extends WireLine {
  status?: string | null;
  permissionMode?: string;
  compact_result?: string;
  compact_error?: string;
}

export interface CompactBoundaryLine extends WireLine {
  compact_metadata?: {
    trigger?: string;
    pre_tokens?: number;
    post_tokens?: number;
    duration_ms?: number;
  };
}

export interface ApiRetryLine extends WireLine {
  attempt?: number;
  max_retries?: number;
  retry_delay_ms?: number;
  error_status?: number | null;
  error?: string;
}

export interface HookLine extends WireLine {
  hook_id?: string;
  hook_name?: string;
  hook_event?: string;
  hook_event_name?: string;
  output?: string;
  stdout?: string;
  stderr?: string;
  exit_code?: number;
  outcome?: string;
}

export interface TaskLine extends WireLine {
  task_id?: string;
  run_id?: string;
  tool_use_id?: string;
  description?: string;
  is_backgrounded?: boolean;
  parent_task_id?: string;
  task_type?: string;
  workflow_name?: string;
  prompt?: string;
  usage?: { total_tokens?: number; tool_uses?: number; duration_ms?: number };
  last_tool_name?: string;
  summary?: string;
  status?: string;
  patch?: { status?: string; description?: string; error?: string; is_backgrounded?: boolean };
}

export interface PermissionDeniedLine extends WireLine {
  tool_name?: string;
  tool_use_id?: string;
  decision_reason?: string;
  message?: string;
}

export interface RefusalLine extends WireLine {
  original_model?: string;
  fallback_model?: string;
  retracted_message_uuids?: string[];
  api_refusal_category?: string;
  api_refusal_explanation?: string;
  content?: string;
}

/** The remarks: `informational`, `notification`, `plugin_install`, `files_persisted` and the like, all in one. */
export interface RemarkLine extends WireLine {
  content?: string;
  level?: string;
  text?: string;
  priority?: string;
  key?: string;
  status?: string;
  name?: string;
  error?: unknown;
  error_code?: string;
  lost?: string;
  reason?: string;
  title?: string;
  summary?: string;
  detail?: string | null;
  kind?: string;
  status_detail?: string;
  mcp_server_name?: string;
  elicitation_id?: string;
  written_paths?: string[];
  memories?: unknown[];
  files?: unknown[];
  failed?: unknown[];
  state?: string;
  commands?: ({ name?: string } | string)[];
  estimated_tokens?: number;
  fallback_model?: string;
  original_model?: string;
}

// ── Other top-level types ─────────────────────────────────────────────────────────────────────────

export interface ToolProgressLine extends WireLine {
  tool_use_id?: string;
  tool_name?: string;
  elapsed_time_seconds?: number;
  subagent_retry?: SubagentRetry;
}

export interface SubagentRetry {
  attempt?: number;
  max_retries?: number;
  error_category?: string;
}

export interface RateLimitLine extends WireLine {
  rate_limit_info?: { status?: string; resetsAt?: number; rateLimitType?: string; utilization?: number };
}

export interface AuthStatusLine extends WireLine {
  isAuthenticating?: boolean;
  output?: string[];
  error?: string;
}

export interface ConversationResetLine extends WireLine {
  new_conversation_id?: string;
  trigger?: string;
}

// ── Session files ─────────────────────────────────────────────────────────────────────────────────

/** Types of lines that only the session files have. */
export type TranscriptType =
  | 'attachment'
  | 'progress'
  | 'cost-state'
  | 'ai-title'
  | 'custom-title'
  | 'summary'
  | 'permission-mode'
  | 'queue-operation'
  | 'last-prompt'
  | 'mode'
  | 'tools-used'
  | 'atis-latch'
  | 'api-request'
  | 'api-request-shape'
  | 'api-request-blob'
  | 'file-history-snapshot'
  | 'file-history-delta'
  | 'tag'
  | 'agent-name'
  | 'agent-color'
  | 'agent-setting'
  | 'pr-link'
  | 'worktree-state'
  | 'relocated'
  | 'content-replacement'
  | 'bridge-session'
  | 'repl-mode'
  | 'history-suppression'
  | 'derived-from'
  | 'frame-link';

/** A line of a session file, all kinds in one: camel case where the stream has underscores. */
export interface TranscriptLine extends WireLine {
  parentUuid?: string | null;
  isSidechain?: boolean;
  agentId?: string;
  attributionAgent?: string;
  version?: string;
  cwd?: string;
  permissionMode?: string;
  message?: WireMessage;
  requestId?: string;
  costUSD?: number;
  thinkingDurationMs?: number;
  thinkingDisplay?: string;
  isAbortedMidStream?: boolean;
  supersedesUuids?: string[];
  isApiErrorMessage?: boolean;
  apiErrorStatus?: number;
  apiErrorType?: string;
  isMeta?: boolean;
  isCompactSummary?: boolean;
  origin?: { kind: string };
  toolUseResult?: unknown;
  toolDenialKind?: string;
  mcpMeta?: Record<string, unknown>;
  permissionDecision?: { decision?: string; source?: string; reasonType?: string };
  content?: string;
  compactMetadata?: Record<string, unknown>;
  error?: unknown;
  retryAttempt?: number;
  maxRetries?: number;
  retryInMs?: number;
  originalModel?: string;
  fallbackModel?: string;
  retractedMessageUuids?: string[];
  apiRefusalExplanation?: string;
  attachment?: unknown;
  toolUseID?: string;
  parentToolUseID?: string;
  data?: unknown;
  aiTitle?: string;
  customTitle?: string;
  summary?: string;
  startTime?: number;
  totalCostUSD?: number;
  hasUnknownModelCost?: boolean;
  modelUsage?: Record<string, WireModelUsage>;
}

// ── Control protocol ──────────────────────────────────────────────────────────────────────────────

export interface ControlRequestLine extends WireLine {
  request_id?: string;
  request?: ControlRequest;
}

/** What the CLI asks its host, all kinds in one. */
export interface ControlRequest {
  subtype: string;
  tool_name?: string;
  display_name?: string;
  title?: string;
  description?: string;
  input?: unknown;
  tool_use_id?: string;
  agent_id?: string;
  permission_suggestions?: unknown[];
  decision_reason?: string;
  suppress_always_allow_rule?: boolean;
  message?: string;
  mcp_server_name?: string;
  requested_schema?: unknown;
  elicitation_id?: string;
  dialog_kind?: string;
}

export interface ControlResponseLine extends WireLine {
  response?: { subtype?: string; request_id?: string; response?: unknown; error?: string };
}

/** What would be changed so that the CLI need not ask again. */
export interface PermissionUpdate {
  type: string;
  rules?: { toolName: string; ruleContent?: string }[];
  mode?: string;
  directories?: string[];
}

/** The answer to a permission request or an elicitation. */
export interface ControlAnswer {
  behavior?: string;
  message?: string;
  updatedInput?: unknown;
  updatedPermissions?: unknown[];
  action?: string;
  content?: unknown;
}

// ── Tools: the inputs and outputs that events are made from ───────────────────────────────────────

export interface ToolInput {
  file_path?: string;
  notebook_path?: string;
  target_file?: string;
  target_directory?: string;
  path?: string;
  offset?: number;
  command?: string;
  description?: string;
  pattern?: string;
  query?: string;
  url?: string;
  content?: string;
  old_string?: string;
  new_string?: string;
  edits?: { old_string?: string; new_string?: string }[];
  edit_mode?: string;
  new_source?: string;
  plan?: string;
  todos?: WireTodo[];
  subject?: string;
  taskId?: string;
  skill?: string;
  questions?: WireQuestion[];
}

export interface WireTodo {
  content?: string;
  subject?: string;
  status?: string;
  id?: string;
}

export interface WireQuestion {
  question?: string;
  options?: ({ label?: string; description?: string } | string)[];
  multiSelect?: boolean;
}

export interface ToolOutput {
  type?: string;
  filePath?: string;
  content?: unknown;
  structuredPatch?: PatchHunk[];
  originalFile?: string | null;
  notebook_path?: string;
  original_file?: string;
  updated_file?: string;
  error?: string;
  interrupted?: boolean;
  backgroundTaskId?: string;
  returnCodeInterpretation?: string;
  stdout?: string;
  durationMs?: number;
  durationSeconds?: number;
  totalDurationMs?: number;
  totalToolUseCount?: number;
  status?: string;
  agentId?: string;
  task?: WireTodo;
  tasks?: WireTodo[];
  newTodos?: WireTodo[];
  taskId?: string;
  statusChange?: { from?: string; to?: string };
  plan?: string | null;
  answers?: unknown;
}

export interface PatchHunk {
  oldStart?: number;
  oldLines?: number;
  newStart?: number;
  newLines?: number;
  lines?: string[];
}

// ── What there is: every name that has a handler. conformance/types holds these against the published types ──

/** The types of a line. */
export type MessageType =
  | 'stream_event'
  | 'assistant'
  | 'user'
  | 'result'
  | 'system'
  | 'tool_progress'
  | 'tool_use_summary'
  | 'rate_limit_event'
  | 'auth_status'
  | 'conversation_reset'
  | 'control_request'
  | 'control_response'
  | 'control_cancel_request'
  | 'keep_alive'
  | 'prompt_suggestion'
  | 'active_goal'
  | 'command_lifecycle'
  | 'transcript_mirror'
  | 'autocompact_state';

/** The subtypes of a `system` line: the published ones, then those only found in the program. */
export type SystemSubtype =
  | 'init'
  | 'status'
  | 'compact_boundary'
  | 'api_retry'
  | 'control_request_progress'
  | 'model_refusal_fallback'
  | 'model_refusal_no_fallback'
  | 'local_command_output'
  | 'hook_started'
  | 'hook_progress'
  | 'hook_response'
  | 'plugin_install'
  | 'task_started'
  | 'task_progress'
  | 'task_updated'
  | 'task_notification'
  | 'background_tasks_changed'
  | 'thinking_tokens'
  | 'session_state_changed'
  | 'worker_shutting_down'
  | 'commands_changed'
  | 'notification'
  | 'files_persisted'
  | 'memory_recall'
  | 'elicitation_complete'
  | 'permission_denied'
  | 'mirror_error'
  | 'informational'
  | 'session_writes_lost'
  | 'api_error'
  | 'model_fallback'
  | 'session_title_changed'
  | 'vcs_state_changed'
  | 'post_turn_summary'
  | 'task_summary'
  | 'memory_saved'
  | 'local_command'
  | 'agents_killed'
  | 'away_summary'
  | 'bridge_state'
  | 'bridge_status'
  | 'checkpoint_done'
  | 'cloud_session_delta'
  | 'cloud_session_status'
  | 'code_change_published'
  | 'dev_intent'
  | 'feedback_draft_queued'
  | 'file_attachments_missing'
  | 'file_snapshot'
  | 'inherited_asks_settled'
  | 'instruction_size_warning'
  | 'model_consent_fallback'
  | 'peer_message_hold'
  | 'per_turn_effort_changed'
  | 'permission_check_status'
  | 'permission_retry'
  | 'rewind_stand_in'
  | 'scheduled_task_fire'
  | 'session_metadata'
  | 'start_folder'
  | 'stop_hook_summary'
  | 'thinking'
  | 'tool_host_result'
  | 'turn_began_before_init'
  | 'turn_duration'
  | 'turn_handoff_available'
  | 'turn_preempted'
  | 'turn_starting'
  | 'voice_call_talk';

/** The content blocks of an assistant message. */
export type BlockType =
  | 'text'
  | 'thinking'
  | 'redacted_thinking'
  | 'tool_use'
  | 'server_tool_use'
  | 'mcp_tool_use'
  | 'web_search_tool_result'
  | 'web_fetch_tool_result'
  | 'advisor_tool_result'
  | 'code_execution_tool_result'
  | 'bash_code_execution_tool_result'
  | 'text_editor_code_execution_tool_result'
  | 'tool_search_tool_result'
  | 'mcp_tool_result'
  | 'mcp_tool_listing'
  | 'container_upload'
  | 'compaction'
  | 'fallback';

/** The API's events inside a `stream_event` line that carry an answer; `ping` and `error` stand apart. */
export type StreamEventType =
  | 'message_start'
  | 'content_block_start'
  | 'content_block_delta'
  | 'content_block_stop'
  | 'message_delta'
  | 'message_stop';

/** What may be asked over the control protocol, by either side. */
export type ControlSubtype =
  | 'can_use_tool'
  | 'elicitation'
  | 'request_user_dialog'
  | 'hook_callback'
  | 'mcp_message'
  | 'initialize'
  | 'interrupt'
  | 'set_permission_mode'
  | 'set_model'
  | 'set_max_thinking_tokens'
  | 'mcp_status'
  | 'mcp_set_servers'
  | 'mcp_reconnect'
  | 'mcp_toggle'
  | 'mcp_call'
  | 'mcp_read_resource'
  | 'rewind_files'
  | 'get_context_usage'
  | 'get_session_cost'
  | 'get_usage'
  | 'get_settings'
  | 'get_binary_version'
  | 'list_models'
  | 'list_permission_rules'
  | 'get_hooks_listing'
  | 'file_suggestions'
  | 'read_file'
  | 'seed_read_state'
  | 'cancel_async_message'
  | 'stop_task'
  | 'background_tasks'
  | 'get_task_output'
  | 'apply_flag_settings'
  | 'update_settings'
  | 'reload_plugins'
  | 'reload_skills'
  | 'reload_output_styles'
  | 'register_repo_root'
  | 'rename_session'
  | 'set_color'
  | 'set_has_subscribers'
  | 'end_session'
  | 'get_plan'
  | 'get_status';

/** The events that hooks run on. */
export type HookEventName =
  | 'PreToolUse'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'PostToolBatch'
  | 'PermissionRequest'
  | 'PermissionDenied'
  | 'Notification'
  | 'UserPromptSubmit'
  | 'UserPromptExpansion'
  | 'SessionStart'
  | 'SessionEnd'
  | 'Stop'
  | 'StopFailure'
  | 'SubagentStart'
  | 'SubagentStop'
  | 'PreCompact'
  | 'PostCompact'
  | 'PreModelSwitch'
  | 'PostModelSwitch'
  | 'Setup'
  | 'TeammateIdle'
  | 'TaskCreated'
  | 'TaskCompleted'
  | 'Elicitation'
  | 'ElicitationResult'
  | 'ConfigChange'
  | 'InstructionsLoaded'
  | 'WorktreeCreate'
  | 'WorktreeRemove'
  | 'CwdChanged'
  | 'FileChanged'
  | 'DirectoryAdded'
  | 'MessageDisplay';
