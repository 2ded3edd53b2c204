// `result` lines. Each ends a turn, not the run: a process may print several, or none. The error flag counts before the
// subtype (a failed run is often `success` with `is_error`), and the figures are those of this turn alone.

import type { AgentError, Cost, ModelUsage, Outcome, StopReason, Usage } from '../../../event/event.ts';
import { asNumber, asObject, asText, asTexts, entryOf, type Json, type Loose } from '../../../event/json.ts';
import { subtractUsage, tokensOf } from '../../../event/usage.ts';
import { textIn } from '../../content.ts';
import { abandonCalls } from './calls.ts';
import { cancelRequest, settleDenials } from './control.ts';
import { errorOf, stopReasonOf } from './errors.ts';
import { endMessage } from './messages.ts';
import { forgetShown } from './retract.ts';
import { endRetry } from './retry.ts';
import { endCompaction } from './session.ts';
import { keepRaw, type RunningTotals, type State, type Turn } from './state.ts';
import { takeOldestTurn } from './turns.ts';
import { costOf, modelsOf, sumOf, usageOf, usd } from './usage.ts';
import type { ResultLine, ResultObject } from './wire.ts';

export function translateResult(state: State, line: Loose<ResultLine>): void {
  const uuid = asText(line.uuid);
  if (uuid !== undefined && state.resultIds.has(uuid)) return keepRaw(state, line, 'result');
  if (uuid !== undefined) state.resultIds.add(uuid);
  const turn = takeOldestTurn(state);
  const end = endOf(line, state.toldError);
  closeTurn(state, turn, end.outcome);
  settleDenials(state, line.permission_denials);
  const figures = figuresOf(state, line, turn);
  const apiDuration = asDuration(line.duration_api_ms);
  const apiDurationMs = apiDuration === undefined ? undefined : since(apiDuration, state.running.apiDurationMs);
  if (apiDuration !== undefined) state.running.apiDurationMs = apiDuration;
  state.out.write({
    type: 'turn-end',
    turnId: turn.id,
    outcome: end.outcome,
    stopReason: end.stopReason,
    result: resultText(line.result),
    structured: line.structured_output,
    error: end.error,
    usage: figures.usage,
    cost: figures.cost,
    mainUsage: figures.mainUsage,
    models: figures.models,
    steps: turn.steps,
    durationMs: asDuration(line.duration_ms),
    apiDurationMs,
    extra: end.extra,
  });
  state.turns++;
  state.toldError = undefined;
  state.lastEnd = { outcome: end.outcome, error: end.error };
  state.isActive = false;
  state.isAborted = false;
  state.hasHelpers = false;
  if (state.openTurns.size > 0) return;
  forgetShown(state);
}

/** Closes what the turn has left open on the main thread. What goes on in the background stays open. */
export function closeTurn(state: State, turn: Turn, outcome: Outcome): void {
  endRetry(state, outcome === 'success' ? 'success' : 'error');
  if (state.openTurns.size === 0) endCompaction(state, 'unknown', { synthetic: true });
  const message = state.main.message;
  if (message && (message.turn === turn || state.openTurns.size === 0)) endMessage(state, message);
  const gone = outcome === 'cancelled' ? 'cancelled' : 'unknown';
  abandonCalls(state, turn.calls, gone);
  if (state.openTurns.size === 0) for (const request of state.requests.values()) cancelRequest(state, request, true);
}

/** Nothing ends before it began. */
function asDuration(value: Json): number | undefined {
  const duration = asNumber(value);
  return duration !== undefined && duration >= 0 ? duration : undefined;
}

// ── How it ended ──────────────────────────────────────────────────────────────────────────────────

interface TurnEnd {
  readonly outcome: Outcome;
  readonly stopReason: StopReason | undefined;
  readonly error: AgentError | undefined;
  readonly extra: Readonly<Record<string, Json>> | undefined;
}

function endOf(line: Loose<ResultLine>, told: AgentError | undefined): TurnEnd {
  const subtype = asText(line.subtype);
  const reason = asText(line.terminal_reason) ?? '';
  const isError =
    line.is_error === true || line.isError === true || (line.is_error === undefined && isErrorShape(line, subtype));
  const isAborted = reason.startsWith('aborted');
  const outcome = !isError ? 'success' : isAborted ? 'cancelled' : 'error';
  const word = asText(line.stop_reason) ?? asText(asObject<ResultObject>(line.result)?.stop_reason);
  const stopReason = stopOf(isError, isAborted, subtype, reason, word);
  const extra = { ...(stopReason === 'unknown' && word !== undefined && { stopReason: word }), ...extraOf(line) };
  return {
    outcome,
    stopReason,
    error: isError ? errorOfResult(line, subtype, reason, isAborted, told) : undefined,
    extra: Object.keys(extra).length > 0 ? { claude: extra } : undefined,
  };
}

/** Old results have no flag: an error subtype, or an `error`, is one. */
function isErrorShape(line: Loose<ResultLine>, subtype: string | undefined): boolean {
  return subtype?.startsWith('error') === true || (line.error !== undefined && line.error !== null);
}

function stopOf(
  isError: boolean,
  isAborted: boolean,
  subtype: string | undefined,
  reason: string,
  word: string | undefined,
): StopReason | undefined {
  if (isAborted) return 'cancelled';
  if (subtype === 'error_max_turns') return 'max_turn_requests';
  if (subtype === 'error_max_budget_usd') return 'max_budget';
  if (word === 'refusal') return 'refusal';
  if (reason === 'prompt_too_long') return 'context_full';
  return isError ? 'error' : stopReasonOf(word);
}

function errorOfResult(
  line: Loose<ResultLine>,
  subtype: string | undefined,
  reason: string,
  isAborted: boolean,
  told: AgentError | undefined,
): AgentError {
  const inside = asObject<{ message: string }>(line.error);
  const message =
    resultText(line.result) ||
    asTexts(line.errors)?.join('\n') ||
    asText(inside?.message) ||
    asText(line.error) ||
    subtype ||
    'the run failed';
  if (isAborted) return { code: 'cancelled', message: 'interrupted', nativeCode: reason };
  const isPlain = subtype === undefined || subtype === 'success' || subtype === 'error_during_execution';
  const word = isPlain ? asText(line.api_error_type) : subtype;
  const fallback =
    reason === 'prompt_too_long' ? 'context_full' : line.stop_reason === 'refusal' ? 'content_filter' : undefined;
  const error = errorOf({ message, word, status: asNumber(line.api_error_status), fallback });
  // A line before may have said more about the same failure than the result does.
  const code = error.code === 'unknown' && told ? told.code : error.code;
  const nativeCode = word ?? (reason !== '' && reason !== 'completed' ? reason : asText(line.startup_failure_reason));
  return { ...error, code, ...(nativeCode !== undefined && { nativeCode }) };
}

function extraOf(line: Loose<ResultLine>): Readonly<Record<string, Json>> {
  const command = asText(line.local_command);
  return {
    ...(command !== undefined && { localCommand: command }),
    ...(line.deferred_tool_use !== undefined && { deferredToolUse: line.deferred_tool_use }),
  };
}

function resultText(result: Json): string | undefined {
  if (typeof result === 'string') return result;
  const object = asObject<ResultObject>(result);
  return object ? textIn(object.content) : undefined;
}

// ── What it took ──────────────────────────────────────────────────────────────────────────────────

interface TurnFigures {
  readonly usage: Usage | undefined;
  readonly mainUsage: Usage | undefined;
  readonly models: Readonly<Record<string, ModelUsage>> | undefined;
  readonly cost: Cost | undefined;
}

function figuresOf(state: State, line: Loose<ResultLine>, turn: Turn): TurnFigures {
  const mainUsage = usageOf(line.usage) ?? usageOf(asObject<ResultObject>(line.result)?.usage);
  if (state.speaker.resultUsage === 'all') return figuresOfAll(state, mainUsage ?? {});
  const totals = modelsOf(line.modelUsage);
  // The oldest CLIs print no counts by model, and then the main thread's are all there is.
  const grown = totals && Object.keys(totals).length > 0 ? differences(totals, state.running.models) : undefined;
  const models = modelsOf(line.model_usage_since_last_result) ?? grown;
  const told = costOf(line);
  const ownCost = told.own ?? (told.running === undefined ? undefined : since(told.running, state.running.costUsd));
  if (totals) state.running.models = totals;
  if (told.running !== undefined) state.running.costUsd = told.running;
  if (!models) {
    // This counts the main thread alone, and not even all of that after a stop: it is the whole only where nothing else was seen.
    const isWhole = !state.hasHelpers && (mainUsage?.inputTokens ?? 0) >= turn.input;
    return { usage: isWhole ? mainUsage : undefined, mainUsage, models: undefined, cost: costOfAmount(ownCost) };
  }
  const all = Object.values(models);
  const usage = sumOf(all);
  const hasCosts = all.every(({ cost }) => cost);
  const cost = hasCosts ? all.reduce((total, { cost }) => total + (cost?.amount ?? 0), 0) : ownCost;
  // After a budget stop and the like the main thread's own figure lacks calls, after a broken stream it has too many. Where
  // nobody else was at work, all is its.
  const own = mainUsage?.inputTokens ?? 0;
  const isOff = own < turn.input || own > (usage.inputTokens ?? 0);
  const isAlone = !state.hasHelpers && all.length === 1;
  return { usage, mainUsage: isOff && isAlone ? usage : mainUsage, models, cost: costOfAmount(cost) };
}

/** The process's own running total → this turn's part. */
function figuresOfAll(state: State, total: Usage): TurnFigures {
  const usage = subtractUsage(total, state.running.usage) ?? total;
  state.running.usage = total;
  return { usage, mainUsage: undefined, models: undefined, cost: undefined };
}

/** A sum may run out of range although none of its parts does. */
function costOfAmount(amount: number | undefined): Cost | undefined {
  return amount === undefined || !Number.isFinite(amount) ? undefined : usd(amount);
}

/** Running totals → this turn's part. A total that went down was set back: then it stands as it is. */
function differences(
  now: Readonly<Record<string, ModelUsage>>,
  before: RunningTotals['models'],
): Record<string, ModelUsage> {
  const isReset = Object.entries(before).some(
    ([model, usage]) => (entryOf(now, model)?.inputTokens ?? 0) < (usage.inputTokens ?? 0),
  );
  if (isReset) return { ...now };
  const parts: [string, ModelUsage][] = [];
  for (const [model, total] of Object.entries(now)) {
    const earlier = entryOf(before, model);
    const part = earlier ? subtract(total, earlier) : total;
    if (!earlier || tokensOf(part) > 0) parts.push([model, part]);
  }
  return Object.fromEntries(parts);
}

function subtract(total: ModelUsage, earlier: RunningTotals['models'][string]): ModelUsage {
  const rest = (count: keyof Usage): number => Math.max((total[count] ?? 0) - (earlier[count] ?? 0), 0);
  const hour = rest('cacheWrite1hTokens');
  const reasoning = rest('reasoningTokens');
  return {
    inputTokens: rest('inputTokens'),
    cacheReadTokens: rest('cacheReadTokens'),
    cacheWriteTokens: rest('cacheWriteTokens'),
    ...(hour > 0 && { cacheWrite1hTokens: hour }),
    outputTokens: rest('outputTokens'),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
    ...(total.cost && { cost: usd(total.cost.amount - (earlier.cost?.amount ?? 0)) }),
  };
}

function since(total: number, before: number): number {
  return total >= before ? total - before : total;
}
