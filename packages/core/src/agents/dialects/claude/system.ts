// `system` lines: one handler per subtype. All subtypes of the published types are here (conformance/types checks it), and
// those that were only found in the program, so that none of them counts as unknown.

import { asCount, asList, asNumber, asObject, asText, asTexts, type Json, type Loose } from '../../../event/json.ts';
import { tellOwnText } from './assistant.ts';
import { translatePermissionDenied } from './control.ts';
import { errorOf } from './errors.ts';
import { retractLines } from './retract.ts';
import { translateRetry } from './retry.ts';
import {
  commandNames,
  translateCompactBoundary,
  translateHookEnd,
  translateHookStart,
  translateInit,
  translateStatus,
} from './session.ts';
import { handlersOf, keepRaw, nativeTypeOf, type State } from './state.ts';
import {
  translateBackgroundTasks,
  translateTaskNotification,
  translateTaskProgress,
  translateTaskStarted,
  translateTaskUpdated,
} from './tasks.ts';
import type { RefusalLine, RemarkLine, SystemSubtype, WireLine } from './wire.ts';

type SystemHandler = (state: State, line: Loose<WireLine>) => void;

const systemHandlers: ReadonlyMap<string, SystemHandler> = handlersOf<SystemSubtype, SystemHandler>({
  init: translateInit,
  status: translateStatus,
  compact_boundary: translateCompactBoundary,
  api_retry: translateRetry,
  control_request_progress: keep,
  model_refusal_fallback: translateRefusalFallback,
  model_refusal_no_fallback: translateRefusal,
  local_command_output: translateLocalOutput,
  hook_started: translateHookStart,
  hook_progress: keep,
  hook_response: translateHookEnd,
  plugin_install: translatePlugin,
  task_started: translateTaskStarted,
  task_progress: translateTaskProgress,
  task_updated: translateTaskUpdated,
  task_notification: translateTaskNotification,
  background_tasks_changed: translateBackgroundTasks,
  thinking_tokens: translateThinkingTokens,
  session_state_changed: translateState,
  worker_shutting_down: remark(
    'warning',
    ({ reason }) => `the worker is shutting down: ${asText(reason) ?? 'no reason given'}`,
  ),
  commands_changed: translateCommands,
  notification: remark('info', ({ text }) => asText(text)),
  files_persisted: remark('info', ({ files }) => `${asList(files).length} files persisted`),
  memory_recall: remark('info', ({ memories }) => `${asList(memories).length} memories recalled`),
  elicitation_complete: remark(
    'info',
    ({ mcp_server_name }) => `${asText(mcp_server_name) ?? 'a server'} has its answer`,
  ),
  permission_denied: translatePermissionDenied,
  mirror_error: remark('warning', ({ error }) => asText(error)),
  informational: translateInformational,
  session_writes_lost: remark(
    'error',
    ({ lost, error_code }) => `the ${asText(lost) ?? 'session'} could not be written: ${asText(error_code) ?? ''}`,
  ),
  // Found in the program only; their fields are read where they are known.
  api_error: translateApiError,
  model_fallback: translateModelFallback,
  session_title_changed: ({ out }, { title }: Loose<RemarkLine>) =>
    out.write({ type: 'session-update', title: asText(title) }),
  vcs_state_changed: remark('info', ({ kind }) => `version control: ${asText(kind) ?? 'changed'}`),
  post_turn_summary: remark('info', ({ status_detail }) => asText(status_detail)),
  task_summary: remark('info', ({ detail }) => asText(detail)),
  memory_saved: remark('info', ({ written_paths }) => `memory saved: ${(asTexts(written_paths) ?? []).join(', ')}`),
  local_command: translateLocalOutput,
  agents_killed: keep,
  away_summary: keep,
  bridge_state: keep,
  bridge_status: keep,
  checkpoint_done: keep,
  cloud_session_delta: keep,
  cloud_session_status: keep,
  code_change_published: keep,
  dev_intent: keep,
  feedback_draft_queued: keep,
  file_attachments_missing: keep,
  file_snapshot: keep,
  inherited_asks_settled: keep,
  instruction_size_warning: keep,
  model_consent_fallback: keep,
  peer_message_hold: keep,
  per_turn_effort_changed: keep,
  permission_check_status: keep,
  permission_retry: keep,
  rewind_stand_in: keep,
  scheduled_task_fire: keep,
  session_metadata: keep,
  start_folder: keep,
  stop_hook_summary: keep,
  thinking: keep,
  tool_host_result: keep,
  turn_began_before_init: keep,
  turn_duration: keep,
  turn_handoff_available: keep,
  turn_preempted: keep,
  turn_starting: keep,
  voice_call_talk: keep,
});

export function translateSystem(state: State, line: Loose<WireLine>): void {
  const subtype = asText(line.subtype);
  const handle = systemHandlers.get(subtype ?? '');
  if (handle) handle(state, line);
  else if (subtype?.startsWith('ui_')) keep(state, line);
  // An old shape: a text and no subtype.
  else if (subtype === undefined && asText((line as Loose<RemarkLine>).content) !== undefined)
    translateInformational(state, line);
  else state.out.write({ type: 'raw', reason: 'unknown_type', value: line, nativeType: nativeTypeOf(line) });
}

function keep(state: State, line: Loose<WireLine>): void {
  keepRaw(state, line, nativeTypeOf(line) ?? 'system');
}

/** A line that only wants to be read. One without its sentence is kept as it is. */
function remark(
  severity: 'info' | 'warning' | 'error',
  titleOf: (line: Loose<RemarkLine>) => string | undefined,
): SystemHandler {
  return (state, line) => {
    const title = titleOf(line);
    if (title === undefined) return keep(state, line);
    state.out.write({ type: 'notice', severity, title, nativeCode: asText(line.subtype) });
  };
}

function translateInformational(state: State, line: Loose<RemarkLine>): void {
  const title = asText(line.content);
  if (title === undefined) return keep(state, line);
  const severity = line.level === 'warning' || line.level === 'error' ? line.level : 'info';
  state.out.write({ type: 'notice', severity, title, nativeCode: 'informational' });
}

function translatePlugin(state: State, line: Loose<RemarkLine>): void {
  const failed = line.status === 'failed';
  state.out.write({
    type: 'notice',
    severity: failed ? 'warning' : 'info',
    title: `plugin ${asText(line.name) ?? ''} ${asText(line.status) ?? ''}`.replaceAll('  ', ' ').trim(),
    description: asText(line.error),
    nativeCode: 'plugin_install',
  });
}

/** A refused answer is tried again on another model: what was shown of it goes. */
function translateRefusalFallback(state: State, line: Loose<RefusalLine>): void {
  const retracted = asList(line.retracted_message_uuids);
  if (retracted.length > 0) retractLines(state, retracted, 'the model refused');
  writeRefusal(state, line, 'warning');
  const model = asText(line.fallback_model);
  if (model !== undefined) state.out.write({ type: 'session-update', model });
}

function translateRefusal(state: State, line: Loose<RefusalLine>): void {
  writeRefusal(state, line, 'error');
}

function writeRefusal(state: State, line: Loose<RefusalLine>, severity: 'warning' | 'error'): void {
  const other = asText(line.fallback_model);
  const instead = other === undefined ? '' : `, ${other} answers instead`;
  state.out.write({
    type: 'notice',
    severity,
    title: `${asText(line.original_model) ?? 'the model'} refused to answer${instead}`,
    description:
      [line.content, line.api_refusal_explanation].flatMap((one) => asText(one) || []).join('\n') || undefined,
    nativeCode: asText(line.subtype),
  });
}

function translateModelFallback(state: State, line: Loose<RemarkLine>): void {
  const model = asText(line.fallback_model);
  state.out.write({
    type: 'notice',
    severity: 'warning',
    title:
      asText(line.content) ?? `${asText(line.original_model) ?? 'the model'} was replaced by ${model ?? 'another'}`,
    nativeCode: 'model_fallback',
  });
  if (model !== undefined) state.out.write({ type: 'session-update', model });
}

function translateLocalOutput(state: State, line: Loose<RemarkLine>): void {
  const text = asText(line.content);
  if (text === undefined) return keep(state, line);
  tellOwnText(state, asText(line.uuid) ?? `message-${state.out.line}`, text);
  state.ending = { outcome: 'success' };
}

function translateApiError(state: State, line: Loose<RemarkLine>): void {
  const error = asObject<{ message: string; type: string; status: number }>(line.error);
  const message = asText(error?.message) ?? asText(line.error) ?? asText(line.content) ?? 'a model call failed';
  const facts = { message, word: asText(error?.type), status: asNumber(error?.status) };
  state.out.write({ type: 'error', error: errorOf(facts), fatal: false });
}

/** An estimate of the reasoning so far, printed while the model thinks. */
function translateThinkingTokens(state: State, line: Loose<RemarkLine>): void {
  const reasoningTokens = asCount(line.estimated_tokens);
  if (reasoningTokens === undefined) return keep(state, line);
  state.out.write({ type: 'usage-update', scope: 'step', usage: { reasoningTokens }, estimated: true });
}

function translateState(state: State, line: Loose<RemarkLine>): void {
  const word: Json = line.state;
  if (word !== 'idle' && word !== 'running' && word !== 'requires_action') return keep(state, line);
  state.out.write({ type: 'session-update', state: word });
}

function translateCommands(state: State, line: Loose<RemarkLine>): void {
  const commands = commandNames(line.commands);
  if (!commands) return keep(state, line);
  state.facts.commands = commands;
  state.out.write({ type: 'session-update', commands });
}
