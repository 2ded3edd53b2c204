// The control protocol: what the CLI asks its host, and what became of it. Requests and answers carry no session id.

import type { AskedQuestion, Outcome, PermissionOption } from '../../../event/event.ts';
import { asList, asObject, asText, asTexts, entryOf, type Json, type Loose } from '../../../event/json.ts';
import { endHook, startHook } from './session.ts';
import { type Call, handlersOf, keepRaw, nativeTypeOf, type Request, type State, uniqueId } from './state.ts';
import type {
  ControlAnswer,
  ControlRequest,
  ControlRequestLine,
  ControlResponseLine,
  ControlSubtype,
  HookEventName,
  PermissionDeniedLine,
  PermissionUpdate,
  ToolInput,
  ToolResultMeta,
  WireQuestion,
} from './wire.ts';

type RequestHandler = (state: State, id: string, request: Loose<ControlRequest>, line: Json) => void;

/** What may stand in `request.subtype`: what the CLI asks is translated, what the host asks is kept as it is. */
const controlRequests: ReadonlyMap<string, RequestHandler> = handlersOf<ControlSubtype, RequestHandler>({
  can_use_tool: requestPermission,
  elicitation: requestAnswer,
  request_user_dialog: requestAnswer,
  hook_callback: runHook,
  mcp_message: keepRequest,
  // The host's own requests, seen where stdin is read too.
  initialize: keepRequest,
  interrupt: keepRequest,
  set_permission_mode: keepRequest,
  set_model: keepRequest,
  set_max_thinking_tokens: keepRequest,
  mcp_status: keepRequest,
  mcp_set_servers: keepRequest,
  mcp_reconnect: keepRequest,
  mcp_toggle: keepRequest,
  mcp_call: keepRequest,
  mcp_read_resource: keepRequest,
  rewind_files: keepRequest,
  get_context_usage: keepRequest,
  get_session_cost: keepRequest,
  get_usage: keepRequest,
  get_settings: keepRequest,
  get_binary_version: keepRequest,
  list_models: keepRequest,
  list_permission_rules: keepRequest,
  get_hooks_listing: keepRequest,
  file_suggestions: keepRequest,
  read_file: keepRequest,
  seed_read_state: keepRequest,
  cancel_async_message: keepRequest,
  stop_task: keepRequest,
  background_tasks: keepRequest,
  get_task_output: keepRequest,
  apply_flag_settings: keepRequest,
  update_settings: keepRequest,
  reload_plugins: keepRequest,
  reload_skills: keepRequest,
  reload_output_styles: keepRequest,
  register_repo_root: keepRequest,
  rename_session: keepRequest,
  set_color: keepRequest,
  set_has_subscribers: keepRequest,
  end_session: keepRequest,
  get_plan: keepRequest,
  get_status: keepRequest,
});

export function translateControlRequest(state: State, line: Loose<ControlRequestLine>): void {
  const request = asObject<ControlRequest>(line.request);
  const id = asText(line.request_id);
  const handle = controlRequests.get(asText(request?.subtype) ?? '');
  if (!request || id === undefined || !handle) {
    state.out.write({ type: 'raw', reason: 'unknown_type', value: line, nativeType: nativeTypeOf(line) });
    return;
  }
  // A request that still waits is not asked again.
  if (state.requests.has(id)) return keepRaw(state, line, `control_request/${asText(request.subtype)}`);
  handle(state, id, request, line);
}

function keepRequest(state: State, _id: string, request: Loose<ControlRequest>, line: Json): void {
  keepRaw(state, line, `control_request/${asText(request.subtype)}`);
}

function requestPermission(state: State, id: string, request: Loose<ControlRequest>): void {
  // The lines of the protocol name no call that they belong to, but the sub-agent itself.
  state.out.subagentId = state.tasks.get(asText(request.agent_id) ?? '')?.id;
  const toolCallId = asText(request.tool_use_id);
  const toolName = asText(request.tool_name);
  const questions =
    toolName !== undefined && toolName === state.speaker.questionTool
      ? asList(asObject<ToolInput>(request.input)?.questions)
      : [];
  if (questions.length > 0) {
    const requestId = remember(state, id, toolCallId, 'question');
    const asked = questions.flatMap((value) => asObject<WireQuestion>(value) ?? []).map(askedQuestion);
    state.out.write({
      type: 'question-request',
      requestId,
      toolCallId,
      message: asked.map(({ question }) => question).join('\n'),
      questions: asked,
      schema: request.input,
      choices: asked.length === 1 ? asked[0]?.options.map(({ label }) => label) : undefined,
      extra: forAnswer(requestId, id, {}),
    });
    return;
  }
  const requestId = remember(state, id, toolCallId, 'permission');
  state.out.write({
    type: 'permission-request',
    requestId,
    toolCallId,
    toolName,
    input: request.input,
    title: asText(request.title) ?? asText(request.description),
    reason: asText(request.decision_reason),
    options: optionsOf(request),
    extra: forAnswer(requestId, id, { suggestions: suggestionsOf(request) }),
  });
}

/** What an answer needs that no other field of the request has; see `agents/claude/input.ts`. */
function forAnswer(requestId: string, nativeId: string, fields: object): Readonly<Record<string, Json>> | undefined {
  const facts = { ...(requestId !== nativeId && { requestId: nativeId }), ...fields };
  const told = Object.entries(facts).filter(([, value]) => value !== undefined);
  return told.length === 0 ? undefined : { claude: Object.fromEntries(told) };
}

/**
 * By what the CLI would not ask again. Where it suggests rules for this very call, these alone: beside them it offers wider ones,
 * such as a mode in which no edit is asked about.
 */
function suggestionsOf(request: Loose<ControlRequest>): readonly Json[] | undefined {
  const all = asList(request.permission_suggestions);
  const rules = all.filter((one) => asList(asObject<PermissionUpdate>(one)?.rules).length > 0);
  const suggestions = rules.length > 0 ? rules : all;
  return suggestions.length > 0 && request.suppress_always_allow_rule !== true ? suggestions : undefined;
}

function askedQuestion({ question, options, multiSelect }: Loose<WireQuestion>): AskedQuestion {
  return {
    question: asText(question) ?? '',
    options: asList(options).flatMap((option) => {
      const { label, description } = asObject<{ label: string; description: string }>(option) ?? { label: option };
      const about = asText(description);
      const name = asText(label);
      return name === undefined ? [] : [{ label: name, ...(about !== undefined && { description: about }) }];
    }),
    ...(multiSelect === true && { isMultiple: true }),
  };
}

function optionsOf(request: Loose<ControlRequest>): readonly PermissionOption[] {
  const suggestions = suggestionsOf(request);
  const rules = suggestions?.flatMap(ruleOf) ?? [];
  const always = rules.length > 0 ? `Allow for this session: ${rules.join(', ')}` : 'Allow for this session';
  return [
    { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' },
    ...(suggestions ? [{ optionId: 'allow_always', name: always, kind: 'allow_always' } as const] : []),
    { optionId: 'reject_once', name: 'Deny', kind: 'reject_once' },
  ];
}

/** A suggestion in the words in which the CLI's settings have it. */
function ruleOf(value: Json): readonly string[] {
  const { rules, mode, directories } = asObject<PermissionUpdate>(value) ?? {};
  const told = asList(rules).flatMap((rule) => {
    const { toolName, ruleContent } = asObject<{ toolName: string; ruleContent: string }>(rule) ?? {};
    const name = asText(toolName);
    const content = asText(ruleContent);
    return name === undefined ? [] : [content === undefined ? name : `${name}(${content})`];
  });
  const folders = asTexts(directories) ?? [];
  return [...told, ...(asText(mode) === undefined ? [] : [`mode ${asText(mode)}`]), ...folders];
}

function requestAnswer(state: State, id: string, request: Loose<ControlRequest>): void {
  const toolCallId = asText(request.tool_use_id);
  const requestId = remember(state, id, toolCallId, 'question');
  state.out.write({
    type: 'question-request',
    requestId,
    toolCallId,
    message: asText(request.message) ?? asText(request.title) ?? asText(request.dialog_kind) ?? '',
    schema: request.requested_schema,
    extra: forAnswer(requestId, id, { request: asText(request.subtype) }),
  });
}

/** Which field of a hook's payload says what it was for; hooks without one have only their event's name. */
const hookEvents: Readonly<Record<HookEventName, string | undefined>> = {
  PreToolUse: 'tool_name',
  PostToolUse: 'tool_name',
  PostToolUseFailure: 'tool_name',
  PostToolBatch: undefined,
  PermissionRequest: 'tool_name',
  PermissionDenied: 'tool_name',
  Notification: 'notification_type',
  UserPromptSubmit: 'source',
  UserPromptExpansion: 'command_name',
  SessionStart: 'source',
  SessionEnd: 'reason',
  Stop: undefined,
  StopFailure: 'error',
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  PreModelSwitch: 'to_model',
  PostModelSwitch: 'to_model',
  Setup: 'trigger',
  TeammateIdle: 'teammate_name',
  TaskCreated: 'task_subject',
  TaskCompleted: 'task_subject',
  Elicitation: 'mcp_server_name',
  ElicitationResult: 'mcp_server_name',
  ConfigChange: 'source',
  InstructionsLoaded: 'memory_type',
  WorktreeCreate: 'name',
  WorktreeRemove: undefined,
  CwdChanged: undefined,
  FileChanged: 'event',
  DirectoryAdded: 'source',
  MessageDisplay: undefined,
};

/** A hook that the host runs itself: it starts with the request and ends with the answer. */
function runHook(state: State, id: string, request: Loose<ControlRequest>): void {
  const payload = asObject(request.input) ?? {};
  const on = asText(payload['hook_event_name']);
  const field = entryOf<string | undefined>(hookEvents, on);
  const detail = field === undefined ? undefined : asText(payload[field]);
  startHook(state, id, detail === undefined ? (on ?? 'hook') : `${on}:${detail}`, on);
}

/** Keeps a request until it is answered; gives our id of it, since the CLI's may have been used before. */
function remember(state: State, nativeId: string, callId: string | undefined, kind: Request['kind']): string {
  const request: Request = { id: uniqueId(state, 'request', nativeId), nativeId, callId, kind };
  state.requests.set(nativeId, request);
  if (callId !== undefined) state.requestsByCall.set(callId, request);
  return request.id;
}

function forget(state: State, request: Request): void {
  state.requests.delete(request.nativeId);
  if (request.callId !== undefined) state.requestsByCall.delete(request.callId);
}

// ── Answers ───────────────────────────────────────────────────────────────────────────────────────

/** An answer: the host's own (echoed, or read from stdin) or the CLI's to something the host asked. */
export function translateControlResponse(state: State, line: Loose<ControlResponseLine>): void {
  const response = asObject<{ subtype: string; request_id: string; response: unknown }>(line.response);
  const id = asText(response?.request_id) ?? '';
  const answer = asObject<ControlAnswer>(response?.response);
  const request = state.requests.get(id);
  if (request) {
    forget(state, request);
    writeAnswer(state, request, answer, response?.subtype === 'error');
  } else if (!endHook(state, id, { outcome: response?.subtype === 'error' ? 'error' : 'success' })) {
    keepRaw(state, line, 'control_response');
  }
}

function writeAnswer(state: State, request: Request, answer: Loose<ControlAnswer> | undefined, failed: boolean): void {
  if (request.kind === 'question') {
    const input = asObject<{ answers: unknown }>(answer?.updatedInput);
    const refused =
      failed || answer?.behavior === 'deny' || answer?.behavior === 'cancelled' || answer?.action === 'decline';
    state.out.write({
      type: 'question-resolve',
      requestId: request.id,
      answer: input?.answers ?? answer?.content,
      outcome: refused || answer?.action === 'cancel' ? 'cancelled' : 'success',
    });
    return;
  }
  const allowed = answer?.behavior === 'allow';
  const always = asList(answer?.updatedPermissions).length > 0;
  state.out.write({
    type: 'permission-resolve',
    requestId: request.id,
    toolCallId: request.callId,
    decision: allowed ? 'allowed' : failed ? 'cancelled' : 'denied',
    by: state.answeredBy.get(request.id) ?? 'user',
    optionId: allowed ? (always ? 'allow_always' : 'allow_once') : 'reject_once',
    reason: asText(answer?.message),
  });
  if (!allowed && !failed && request.callId !== undefined) state.settledCalls.add(request.callId);
}

/** The CLI no longer wants the answer. */
export function translateControlCancel(state: State, line: Loose<ControlRequestLine>): void {
  const request = state.requests.get(asText(line.request_id) ?? '');
  if (request) cancelRequest(state, request);
  else keepRaw(state, line, 'control_cancel_request');
}

export function cancelRequest(state: State, request: Request, synthetic?: true): void {
  forget(state, request);
  if (request.kind === 'question') {
    state.out.write({ type: 'question-resolve', requestId: request.id, outcome: 'cancelled', synthetic });
  } else {
    state.out.write({
      type: 'permission-resolve',
      requestId: request.id,
      toolCallId: request.callId,
      decision: 'cancelled',
      by: 'agent',
      synthetic,
    });
  }
}

/** Whether the host still has to say if the call may run. */
export function hasRequest(state: State, call: Call): boolean {
  return requestOf(state, call)?.kind === 'permission';
}

function requestOf(state: State, call: Call): Request | undefined {
  return state.requestsByCall.get(call.nativeId);
}

/** A call has its result, which tells how its request was answered if nothing did before. */
export function settleRequest(
  state: State,
  call: Call,
  outcome: Outcome,
  meta: Loose<ToolResultMeta> | undefined,
  answers: Json,
): void {
  const request = requestOf(state, call);
  if (request) forget(state, request);
  if (request?.kind === 'question') {
    const answered = outcome === 'success' ? 'success' : 'cancelled';
    state.out.write({ type: 'question-resolve', requestId: request.id, answer: answers, outcome: answered });
  }
  const isPermission = request?.kind === 'permission';
  if (outcome === 'denied' ? state.settledCalls.has(call.id) : !isPermission) return;
  if (outcome === 'denied') state.settledCalls.add(call.id);
  const source = asText(asObject<{ source: string }>(meta?.permission_decision)?.source) ?? '';
  state.out.write({
    type: 'permission-resolve',
    requestId: isPermission ? request.id : undefined,
    toolCallId: call.id,
    decision: outcome === 'denied' || outcome === 'cancelled' ? outcome : 'allowed',
    by: isPermission || source.startsWith('user') ? 'user' : 'policy',
    reason: asText(meta?.user_feedback),
  });
}

/** `system/permission_denied`: nobody could be asked, so a rule said no. */
export function translatePermissionDenied(state: State, line: Loose<PermissionDeniedLine>): void {
  const toolCallId = asText(line.tool_use_id);
  if (toolCallId !== undefined) {
    if (state.settledCalls.has(toolCallId)) return;
    state.settledCalls.add(toolCallId);
  }
  state.out.write({
    type: 'permission-resolve',
    toolCallId,
    decision: 'denied',
    by: 'policy',
    reason: asText(line.message) ?? asText(line.decision_reason),
  });
}

/** `result.permission_denials` is the record: what no line told before is told here. */
export function settleDenials(state: State, denials: Json): void {
  for (const value of asList(denials)) {
    const id = asText(asObject<{ tool_use_id: string }>(value)?.tool_use_id);
    if (id === undefined || state.settledCalls.has(id)) continue;
    state.settledCalls.add(id);
    state.out.write({ type: 'permission-resolve', toolCallId: id, decision: 'denied', by: 'unknown' });
  }
}
