// What came of a call: `tool_result` blocks on `user` lines, with the CLI's structured output beside them.

import type { AgentError, Outcome } from '../../../event/event.ts';
import { asNumber, asObject, asText, type Loose } from '../../../event/json.ts';
import { textIn } from '../../content.ts';
import { endCall, openCall } from './calls.ts';
import { hasRequest, settleRequest } from './control.ts';
import { resultTold } from './effects.ts';
import { partsOf } from './parts.ts';
import type { Call, State, Thread } from './state.ts';
import { endTaskOfCall } from './tasks.ts';
import type { ToolOutput, ToolResultMeta, UserLine, WireBlock } from './wire.ts';

export function translateToolResult(
  state: State,
  thread: Thread,
  line: Loose<UserLine>,
  metas: ReadonlyMap<string, Loose<ToolResultMeta>>,
  block: Loose<WireBlock>,
): void {
  const call =
    openCall(state, block.tool_use_id) ?? (asText(block.tool_use_id) === undefined ? oldestCall(thread) : undefined);
  if (!call) {
    state.out.write({ type: 'raw', reason: 'no_counterpart', value: block, nativeType: 'tool_result' });
    return;
  }
  if (thread === state.main) state.isActive = true;
  const content = block.content ?? block.output;
  const output = line.tool_use_result;
  const fields = asObject<ToolOutput>(output);
  const meta = metas.get(call.nativeId);
  const isError = block.is_error === true || block.isError === true;
  const text = textIn(content);
  const told = state.speaker.readResult?.(call.name, text, isError);
  const outcome = told?.outcome ?? outcomeOf(state, call, isError, meta);
  settleRequest(state, call, outcome, meta, fields?.answers);
  if (told?.refusal) {
    state.out.write({ type: 'permission-resolve', toolCallId: call.id, decision: 'denied', by: told.refusal.by });
  }
  endCall(state, call, {
    outcome,
    content: told?.content ?? partsOf(content),
    output: output ?? told?.output,
    exitCode: told?.exitCode ?? exitCodeOf(state, call, isError, text, fields),
    error:
      outcome === 'success'
        ? undefined
        : (told?.refusal?.error ?? errorOfResult(outcome, told?.content ? textIn(told.content) : text)),
    nativeStatus: asText(meta?.non_execution_kind),
    durationMs: asNumber(fields?.durationMs) ?? secondsOf(fields) ?? asNumber(fields?.totalDurationMs),
  });
  if (outcome === 'success') resultTold(state, call, output, text, told?.todos);
  if (state.speaker.traitsOf(call.name).tags?.includes('subagent')) endTaskOfCall(state, call, outcome, output);
}

/** Calls without an id are paired with results in order. */
function oldestCall(thread: Thread): Call | undefined {
  for (const call of thread.calls) if (!call.serverSide) return call;
  return undefined;
}

function outcomeOf(state: State, call: Call, isError: boolean, meta: Loose<ToolResultMeta> | undefined): Outcome {
  if (!isError) return 'success';
  const decision = asText(asObject<{ decision: string }>(meta?.permission_decision)?.decision);
  if (decision === 'reject' || state.settledCalls.has(call.id)) return 'denied';
  if (decision === 'cancelled') return 'cancelled';
  if (decision !== undefined) return 'error';
  // Interrupted while the host was asked: it refused and stopped the run at once. Else the request was called off before.
  if (meta?.non_execution_kind === 'user-rejected' && hasRequest(state, call)) return 'denied';
  switch (meta?.non_execution_kind) {
    case undefined:
      return 'error';
    case 'permission-rule':
    case 'automode-blocked':
    case 'automode-unavailable':
    case 'automode-parsing-error':
      return 'denied';
    default:
      return 'cancelled';
  }
}

function secondsOf(fields: Loose<ToolOutput> | undefined): number | undefined {
  const seconds = asNumber(fields?.durationSeconds);
  return seconds === undefined ? undefined : seconds * 1000;
}

const EXIT_CODE = /^Exit code (\d{1,9})(?!\d)/;

function exitCodeOf(
  state: State,
  call: Call,
  isError: boolean,
  text: string,
  fields: Loose<ToolOutput> | undefined,
): number | undefined {
  if (state.speaker.traitsOf(call.name).kind !== 'execute') return undefined;
  if (isError) {
    const told = EXIT_CODE.exec(text)?.[1];
    return told === undefined ? undefined : Number(told);
  }
  // A success says zero, unless the command still runs or its code was explained away.
  const isOver = asText(fields?.stdout) !== undefined && fields?.backgroundTaskId === undefined;
  return isOver && fields?.interrupted !== true && fields?.returnCodeInterpretation === undefined ? 0 : undefined;
}

const ERROR_OPEN = '<tool_use_error>';
const ERROR_CLOSE = '</tool_use_error>';

function errorOfResult(outcome: Outcome, text: string): AgentError {
  const start = text.startsWith(ERROR_OPEN) ? ERROR_OPEN.length : 0;
  const message = text.slice(start, text.endsWith(ERROR_CLOSE) ? -ERROR_CLOSE.length : undefined);
  if (outcome === 'denied' || outcome === 'cancelled') return { code: outcome, message };
  if (start > 0 && message.includes('No such tool available')) return { code: 'tool_not_found', message };
  if (start > 0 && message.startsWith('InputValidationError')) return { code: 'invalid_input', message };
  return { code: 'unknown', message };
}
