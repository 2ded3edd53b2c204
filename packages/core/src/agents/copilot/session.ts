// What is said of the whole session: what it is run with, remarks, errors, and how turns and the run end.

import type { AgentError, ErrorCode, EventOf } from '../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import { errorOf } from '../errors.ts';
import { exitError } from '../exit.ts';
import type { SessionFacts } from '../narrator/fields.ts';
import { agentOf, type Handler, type State, taskOf, threadOf } from './state.ts';
import type { Blocker, CopilotLine, Data, Server } from './wire.ts';

export const sessionHandlers: readonly (readonly [string, Handler])[] = [
  // Their facts are taken when the line comes in.
  ['session.start', () => {}],
  ['session.resume', () => {}],
  ['session.tools_updated', ({ narrator }, { model }) => narrator.learn({ model: asText(model) })],
  ['session.model_change', ({ narrator }, { newModel }) => narrator.learn({ model: asText(newModel) })],
  ['session.auto_mode_resolved', ({ narrator }, { chosenModel }) => narrator.learn({ model: asText(chosenModel) })],
  ['session.mode_changed', ({ narrator }, { newMode }) => narrator.learn({ permissionMode: asText(newMode) })],
  ['session.context_changed', ({ narrator }, { cwd }) => narrator.learn({ cwd: asText(cwd) })],
  ['session.title_changed', tellTitle],
  ['commands.changed', tellCommands],
  ['session.mcp_servers_loaded', tellServers],
  ['session.mcp_server_status_changed', tellServer],
  ['session.mcp_server_needs_reconnect', tellServer],
  ['session.mcp_server_removed', removeServer],
  ['session.usage_info', tellContext],
  ['session.info', tellInfo],
  ['session.warning', tellWarning],
  ['session.error', tellError],
  ['session.task_complete', (state, { summary }) => remark(state, 'info', summary, 'task_complete')],
  ['session.autopilot_stopped', tellAutopilotStop],
  ['session.managed_settings_enforced', (state, { message }) => remark(state, 'warning', message, 'managed_settings')],
  ['abort', tellAbort],
  ['assistant.turn_end', endStep],
  ['assistant.idle', tellIdle],
  ['result', tellResult],
];

// ── What the session is run with ──────────────────────────────────────────────────────────────────

/** What the first line of a session tells, where it is printed. */
export function factsOf(data: Loose<Data>, line: Loose<CopilotLine>): SessionFacts {
  if (line.type !== 'session.start' && line.type !== 'session.resume') return {};
  return {
    agentVersion: asText(data.copilotVersion),
    model: asText(data.selectedModel),
    cwd: asText(asObject<Data['context']>(data.context)?.cwd),
    resumed: line.type === 'session.resume' || undefined,
  };
}

function tellTitle({ narrator }: State, data: Loose<Data>): void {
  const title = asText(data.title);
  if (title !== undefined) narrator.out.write({ type: 'session-update', title });
}

function tellCommands({ narrator }: State, data: Loose<Data>): void {
  narrator.learn({
    commands: asList(data.commands).flatMap((value) => asText(asObject<{ name: string }>(value)?.name) ?? []),
  });
}

function tellServers(state: State, data: Loose<Data>): void {
  for (const value of asList(data.servers)) {
    const server = asObject<Server>(value);
    const name = asText(server?.name);
    if (name !== undefined) state.servers.set(name, asText(server?.status));
  }
  if (state.servers.size > 0) learnServers(state);
}

function tellServer(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const name = asText(data.serverName);
  if (name === undefined) return;
  const isLost = line.type === 'session.mcp_server_needs_reconnect';
  state.servers.set(name, isLost ? 'needs-reconnect' : asText(data.status));
  learnServers(state);
}

function removeServer(state: State, data: Loose<Data>): void {
  if (state.servers.delete(asText(data.serverName) ?? '')) learnServers(state);
}

function learnServers({ narrator, servers }: State): void {
  const mcpServers = [...servers].map(([name, status]) => (status === undefined ? { name } : { name, status }));
  narrator.learn({ mcpServers });
}

function tellContext({ narrator }: State, data: Loose<Data>): void {
  narrator.out.write({
    type: 'usage-update',
    scope: 'context',
    contextUsed: asCount(data.currentTokens),
    contextSize: asCount(data.tokenLimit),
  });
}

// ── Remarks and errors ────────────────────────────────────────────────────────────────────────────

function remark({ narrator }: State, severity: EventOf<'notice'>['severity'], title: Json, nativeCode: Json): void {
  const text = asText(title);
  if (text) narrator.out.write({ type: 'notice', severity, title: text, nativeCode: asText(nativeCode) });
}

function tellInfo(state: State, data: Loose<Data>): void {
  // The line before it told the same.
  if (data.infoType === 'model_retry' && state.isRetryTold) return;
  remark(state, 'info', data.message, data.infoType);
}

/** That the work is done was told. */
function tellAutopilotStop(state: State, data: Loose<Data>): void {
  const reason = asText(data.reason);
  if (reason !== undefined && reason !== 'task_complete')
    remark(state, 'warning', `autopilot stopped: ${reason}`, 'autopilot_stopped');
}

/** Warnings after which nothing goes on. */
const FATAL_WARNINGS: Readonly<Record<string, ErrorCode>> = {
  compaction_static_context_blocked: 'context_full',
  policy_blocked: 'permission',
};

function tellWarning(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const code = entryOf(FATAL_WARNINGS, data.warningType);
  if (code === undefined) return remark(state, 'warning', data.message, data.warningType);
  const nativeCode = asText(data.warningType);
  fail(
    state,
    { code, message: asText(data.message) ?? '', ...(nativeCode !== undefined && { nativeCode }) },
    data,
    line,
  );
}

const ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  authentication: 'authentication',
  authorization: 'permission',
  policy: 'permission',
  quota: 'billing',
  rate_limit: 'rate_limit',
  context_limit: 'context_full',
};

/** Errors that the run gets over. */
const PASSING: ReadonlySet<Json> = new Set(['model_call', 'hook']);

const TOO_LONG = 'The provider rejected the prompt as too long';

function tellError(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const message = asText(data.message) ?? 'unknown error';
  const told = errorOf({
    message,
    nativeCode: asText(data.errorType),
    status: asCount(data.statusCode),
    code: entryOf(ERROR_CODES, data.errorType) ?? (message.startsWith(TOO_LONG) ? 'context_full' : undefined),
  });
  // It may say nothing but that the model call failed.
  const agentId = agentOf(state, data.parentToolCallId, line);
  const { failure } = state.threads.get(agentId === undefined ? undefined : taskOf(state, agentId)) ?? {};
  const error = told.code === 'unknown' && failure ? { ...told, code: failure.error.code } : told;
  if (PASSING.has(data.errorType)) state.narrator.fail(error, false);
  else fail(state, error, data, line);
}

/** A failure that ends the turn, unless it is a sub-agent's. */
function fail(state: State, error: AgentError, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const { narrator } = state;
  const agentId = agentOf(state, data.parentToolCallId, line);
  if (agentId === undefined) {
    state.failure = error;
    narrator.endRetry('error');
    return narrator.fail(error, true);
  }
  narrator.out.subagentId = taskOf(state, agentId);
  narrator.out.write({ type: 'error', error, fatal: false });
}

// ── Ends ──────────────────────────────────────────────────────────────────────────────────────────

/** Only who is there can end a step: a sub-agent that is gone is not begun again for it. */
function endStep(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const { narrator } = state;
  const agentId = agentOf(state, data.parentToolCallId, line);
  if (agentId !== undefined) {
    const taskId = taskOf(state, agentId);
    if (!narrator.isTaskOpen(taskId)) return;
    narrator.enterTask(taskId);
    narrator.out.subagentId = taskId;
  }
  narrator.endStep({ stopReason: threadOf(state).asksForCalls ? 'tool_use' : undefined });
}

function tellAbort(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  if (agentOf(state, data.parentToolCallId, line) !== undefined) return;
  state.narrator.abort();
  state.stopped = data.reason === 'autopilot_credit_limit' ? 'max_budget' : 'cancelled';
}

/** The main thread has nothing more to do. Work in the background may begin another turn. */
function tellIdle(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  if (agentOf(state, data.parentToolCallId, line) !== undefined) return;
  if (data.aborted === true) state.stopped ??= 'cancelled';
  endTurn(state);
}

function endTurn(state: State): void {
  const { narrator, failure, stopped } = state;
  state.failure = undefined;
  state.stopped = undefined;
  if (stopped) {
    narrator.abort();
    narrator.endTurn({ outcome: 'cancelled', stopReason: stopped });
  } else if (failure) {
    const stopReason = failure.code === 'context_full' ? 'context_full' : 'error';
    narrator.endTurn({ outcome: 'error', stopReason, error: failure });
  } else narrator.endTurn({ outcome: 'success', stopReason: 'end_turn' });
}

/** The last line. A run can fail although its turns went well, and a turn can be left open. */
function tellResult(state: State, _data: Loose<Data>, line: Loose<CopilotLine>): void {
  const code = asNumber(line.exitCode) ?? 0;
  if (code !== 0) {
    const reason = asText(asObject<Blocker>(line.blocker)?.reason);
    const error: AgentError = reason === undefined ? exitError(code) : { code: 'permission', message: reason };
    state.failed = error;
    state.failure ??= error;
  }
  if (state.narrator.isTurnOpen) endTurn(state);
}
