// Messages in Claude's dialect → neutral events: looks at each line's type and hands it to the file that knows it.

import { asNumber, asObject, asText, asTexts, type Json, type Loose } from '../../../event/json.ts';
import type { EventWriter, Exit, Translator } from '../../agent.ts';
import { timeOf } from '../../time.ts';
import { translateAssistant } from './assistant.ts';
import { abandonCalls, openCall } from './calls.ts';
import { cancelRequest, translateControlCancel, translateControlRequest, translateControlResponse } from './control.ts';
import { modernize } from './legacy.ts';
import { endMessage } from './messages.ts';
import { closeTurn, translateResult } from './result.ts';
import { noticeRetry } from './retry.ts';
import { endHooks, startSession } from './session.ts';
import { skim } from './skim.ts';
import type { Speaker } from './speaker.ts';
import { createState, handlersOf, inThread, keepRaw, nativeTypeOf, type State } from './state.ts';
import { holdPrompt, showPrompts } from './stdin.ts';
import { translateStream } from './stream.ts';
import { translateSystem } from './system.ts';
import { endTask } from './tasks.ts';
import { fromTranscript, isTranscriptLine } from './transcript.ts';
import { takeOldestTurn } from './turns.ts';
import { translateUser } from './user.ts';
import type {
  AuthStatusLine,
  ConversationResetLine,
  MessageType,
  RateLimitLine,
  SubagentRetry,
  ToolProgressLine,
  WireLine,
} from './wire.ts';

type LineHandler = (state: State, line: Loose<WireLine>) => void;

export const lineHandlers: ReadonlyMap<string, LineHandler> = handlersOf<MessageType, LineHandler>({
  stream_event: translateStream,
  assistant: translateAssistant,
  user: translateUser,
  result: translateResult,
  system: translateSystem,
  tool_progress: translateToolProgress,
  tool_use_summary: translateToolSummary,
  rate_limit_event: translateRateLimit,
  auth_status: translateAuthStatus,
  conversation_reset: translateReset,
  control_request: translateControlRequest,
  control_response: translateControlResponse,
  control_cancel_request: translateControlCancel,
  keep_alive: () => {},
  prompt_suggestion: keep,
  active_goal: keep,
  command_lifecycle: keep,
  transcript_mirror: keep,
  autocompact_state: keep,
});

export function createTranslator(speaker: Speaker, about?: Json): Translator {
  const listen = speaker.createListener?.();
  let state: State | undefined;

  return {
    skim(text, out) {
      if (!state || listen) return false;
      state.lineText = text;
      state.out = out;
      return skim(state, text);
    },
    translate(message, out) {
      const said = asObject<WireLine>(message);
      if (!said) return;
      state ??= createState(out, speaker, about);
      state.out = out;
      if (out.source === 'stdin' && holdPrompt(state, said)) return;
      const wire = listen ? listen(said) : said;
      begin(state, wire ?? said);
      if (!wire) return;
      const line = wire.type === 'stream_event' ? wire : todaysLine(state, wire);
      if (!line) return;
      const handle = lineHandlers.get(asText(line.type) ?? '');
      if (handle) handle(state, line);
      else out.write({ type: 'raw', reason: 'unknown_type', value: message, nativeType: nativeTypeOf(line) });
      state.lineText = undefined;
    },
    host(line) {
      if (line.type === 'answered') state?.answeredBy.set(line.requestId, line.by);
    },
    end(exit, out) {
      state ??= createState(out, speaker, about);
      state.out = out;
      endSession(state, exit, out);
    },
  };
}

/** The line as the stream prints it today; nothing when it was one that only session files have, and is told. */
function todaysLine(state: State, wire: Loose<WireLine>): Loose<WireLine> | undefined {
  return isTranscriptLine(wire) ? fromTranscript(state, wire) : modernize(wire);
}

function begin(state: State, line: Loose<WireLine>): void {
  const { out } = state;
  const sessionId = line.session_id ?? line.sessionId;
  if (typeof sessionId === 'string' && sessionId !== '') out.sessionId = sessionId;
  out.lineId = asText(line.uuid);
  if (line.timestamp !== undefined) out.time = timeOf(line.timestamp);
  if (!out.started) startSession(state, line);
}

/** Closes everything in the order in which it would have ended: from the inside out. */
function endSession(state: State, exit: Exit, out: EventWriter): void {
  const { isAborted, toldError } = state;
  // Turns that were begun but folded into one that has ended are over with it.
  const ending = state.isTranscript ? state.ending : state.isActive ? undefined : state.lastEnd;
  const { outcome, error } = state.speaker.readExit(exit, {
    ending,
    isOpen: state.isActive,
    isAborted,
    error: toldError,
  });
  showPrompts(state);
  const open = isAborted || outcome === 'cancelled' ? 'cancelled' : 'unknown';
  for (const thread of state.threads.values()) if (thread.message) endMessage(state, thread.message);
  for (const thread of state.threads.values()) abandonCalls(state, thread.calls, open);
  for (const task of state.openTasks) endTask(state, task, { outcome: task.announced ?? open, synthetic: true });
  while (state.openTurns.size > 0) {
    const turn = takeOldestTurn(state);
    closeTurn(state, turn, outcome);
    out.write({ type: 'turn-end', turnId: turn.id, outcome, steps: turn.steps, synthetic: true });
  }
  for (const request of state.requests.values()) cancelRequest(state, request, true);
  endHooks(state, open);
  out.write({
    type: 'session-end',
    outcome,
    error,
    turns: state.turns,
    exitCode: exit.code ?? undefined,
    signal: exit.signal ?? undefined,
  });
}

function keep(state: State, line: Loose<WireLine>): void {
  keepRaw(state, line, nativeTypeOf(line) ?? 'unknown');
}

function translateToolProgress(state: State, line: Loose<ToolProgressLine>): void {
  // A sub-agent's retries come under an id of their own: they are progress of the call that started it.
  const call = openCall(state, line.tool_use_id) ?? openCall(state, line.parent_tool_use_id);
  if (!call) return keep(state, line);
  const seconds = asNumber(line.elapsed_time_seconds);
  state.out.subagentId = call.thread.task?.id;
  state.out.write({
    type: 'tool-call-update',
    toolCallId: call.id,
    status: 'in_progress',
    elapsedMs: seconds === undefined ? undefined : seconds * 1000,
  });
  const retry = asObject<SubagentRetry>(line.subagent_retry);
  const thread = state.threads.get(call.nativeId);
  if (retry && thread) inThread(state, thread, () => noticeRetry(state, retry));
}

function translateToolSummary(
  state: State,
  line: Loose<WireLine & { summary: string; preceding_tool_use_ids: string[] }>,
): void {
  const title = asText(line.summary);
  if (title === undefined) return keep(state, line);
  const calls = asTexts(line.preceding_tool_use_ids);
  state.out.write({
    type: 'notice',
    severity: 'info',
    title,
    nativeCode: 'tool_use_summary',
    extra: calls && { claude: { toolCallIds: calls } },
  });
}

function translateRateLimit(state: State, line: Loose<RateLimitLine>): void {
  const info = asObject<{ status: string; resetsAt: number; rateLimitType: string; utilization: number }>(
    line.rate_limit_info,
  );
  if (!info) return keep(state, line);
  const resetsAt = asNumber(info.resetsAt);
  state.out.write({
    type: 'rate-limit-update',
    status: info.status === 'rejected' ? 'rejected' : info.status === 'allowed_warning' ? 'warning' : 'ok',
    window: asText(info.rateLimitType),
    // Seconds since the epoch on the wire.
    resetsAt: resetsAt === undefined ? undefined : resetsAt * 1000,
    used: asNumber(info.utilization),
    extra: { claude: { rateLimit: info as Json } },
  });
}

function translateAuthStatus(state: State, line: Loose<AuthStatusLine>): void {
  const failure = asText(line.error);
  if (failure !== undefined) {
    state.out.write({ type: 'error', error: { code: 'authentication', message: failure }, fatal: false });
    return;
  }
  const output = asTexts(line.output)?.join('\n');
  const title = line.isAuthenticating === true ? 'signing in' : 'signed in';
  state.out.write({
    type: 'notice',
    severity: 'info',
    title,
    description: output || undefined,
    nativeCode: 'auth_status',
  });
}

/** `/clear`: the line still has the old session's id; what follows has the new one. */
function translateReset(state: State, line: Loose<ConversationResetLine>): void {
  state.todos.clear();
  // The CLI's running totals begin anew.
  state.running = { ...state.running, models: {}, costUsd: 0 };
  const trigger = asText(line.trigger) ?? 'clear';
  const newSessionId = asText(line.new_conversation_id);
  state.out.write({
    type: 'notice',
    severity: 'info',
    title: 'the conversation was cleared',
    nativeCode: 'conversation_reset',
    extra: { claude: { trigger, ...(newSessionId !== undefined && { newSessionId }) } },
  });
}
