// Gemini's messages → neutral events. The assistant's text comes in pieces with no last one: it ends where anything else begins.

import type { AgentError, Outcome } from '../../event/event.ts';
import { asCount, asObject, asText, type Json, type Loose } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { textIn, textParts } from '../content.ts';
import type { OpenCall } from '../narrator/calls.ts';
import { Narrator } from '../narrator/narrator.ts';
import { timeOf } from '../time.ts';
import { readError, runError, stopReasonOf, toolError } from './errors.ts';
import { readExit } from './exit.ts';
import { agentOf, changeOf, locationsOf, mcpTool, mustAsk, planPathOf, titleOf, todosOf, traitsOf } from './tools.ts';
import { modelsOf, usageOf } from './usage.ts';
import type { GeminiLine, GeminiStats } from './wire.ts';

type Line = Loose<GeminiLine>;

export function createTranslator(): Translator {
  const narrator = new Narrator({ agent: 'gemini', readExit });
  /** The last `error` line of the turn: a `result` may fail without saying why. */
  let lastError: AgentError | undefined;

  function tellError(line: Line): void {
    const message = asText(line.message) ?? 'unknown';
    if (line.severity === 'warning') return narrator.out.write({ type: 'notice', severity: 'warning', title: message });
    lastError = readError(message);
    // The run may go on after it.
    narrator.fail(lastError, false);
  }

  function tellResult(line: Line): void {
    if (narrator.isTurnOver) return narrator.keep(line);
    const stats = asObject<GeminiStats>(line.stats);
    const isSuccess = line.status === 'success';
    const error = isSuccess ? undefined : (runError(line.error) ?? lastError ?? readError('the run failed'));
    const outcome = isSuccess ? 'success' : error?.code === 'cancelled' ? 'cancelled' : 'error';
    // Text that is still open then was cut off.
    if (error) narrator.endBlock('text', undefined, { partial: true });
    narrator.endMessage();
    if (error && outcome === 'error') narrator.fail(error, true);
    narrator.endTurn({
      outcome,
      stopReason: stopReasonOf(error ?? lastError) ?? (isSuccess ? 'end_turn' : 'error'),
      error,
      // A run that failed counts what was answered: nothing is no total.
      ...(isSuccess || asCount(stats?.total_tokens) ? { usage: usageOf(stats), models: modelsOf(stats) } : {}),
      durationMs: durationOf(stats?.duration_ms),
    });
    lastError = undefined;
  }

  return {
    translate(message, out) {
      const line = asObject<GeminiLine>(message);
      out.time = timeOf(line?.timestamp);
      const isInit = line?.type === 'init';
      if (isInit) out.sessionId = asText(line.session_id) ?? out.sessionId;
      narrator.begin(out, isInit ? { model: asText(line.model) } : {});
      switch (line?.type) {
        case 'init':
          return;
        case 'message':
          return tellMessage(narrator, line, message);
        case 'tool_use':
          narrator.endMessage();
          return tellCall(narrator, line);
        case 'tool_result':
          narrator.endMessage();
          return tellCallResult(narrator, line);
        case 'error':
          narrator.endMessage();
          return tellError(line);
        case 'result':
          return tellResult(line);
        default:
          narrator.keepUnknown(message);
      }
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}

function tellMessage(narrator: Narrator, line: Line, message: Json): void {
  const text = textIn(line.content);
  if (text === '' && line.content !== '') return narrator.keep(message);
  switch (line.role) {
    case 'user':
      narrator.endMessage();
      narrator.startTurn();
      return narrator.out.write({ type: 'user-message', content: textParts(text), origin: 'prompt' });
    case 'assistant':
      return narrator.addText('text', text);
    default:
      narrator.keepUnknown(message);
  }
}

function tellCall(narrator: Narrator, line: Line): void {
  const name = asText(line.tool_name) ?? 'unknown';
  const id = asText(line.tool_id) ?? `call-${narrator.out.line}`;
  const input = line.parameters ?? {};
  const title = titleOf(input);
  const { id: toolCallId } = narrator.startCall({ id, name, traits: traitsOf(name), mcp: mcpTool(name), title });
  narrator.endInput(id, input, { locations: locationsOf(input) });
  if (name === 'invoke_agent') narrator.startTask({ id, kind: 'agent', toolCallId, ...agentOf(input) });
  const path = name === 'exit_plan_mode' ? planPathOf(input) : undefined;
  if (path !== undefined) narrator.out.write({ type: 'plan-update', path, toolCallId });
}

function tellCallResult(narrator: Narrator, line: Line): void {
  const call = narrator.openCall(line.tool_id);
  const id = asText(line.tool_id);
  if (!call || id === undefined) return narrator.keep(line, 'tool_result');
  const output = asText(line.output);
  const error = line.status === 'error' ? toolError(line.error) : undefined;
  const outcome = outcomeOf(line.status, call, error);
  if (call.name === 'invoke_agent') narrator.endTask(id, { outcome, result: output, error });
  if (outcome === 'denied')
    narrator.resolvePermission(undefined, {
      toolCallId: call.id,
      decision: 'denied',
      by: 'policy',
      reason: error?.message,
    });
  narrator.endCall(id, {
    outcome,
    content: textParts(output),
    error: outcome === 'denied' && error ? { ...error, code: 'denied' } : error,
    nativeStatus: asText(line.status),
  });
  if (outcome === 'success') tellEffects(narrator, call);
}

/** A tool that would have to ask is not offered when nobody can be asked: then Gemini says that it does not exist. */
function outcomeOf(status: Json, { name }: OpenCall, error: AgentError | undefined): Outcome {
  if (status === 'success') return 'success';
  if (status !== 'error') return 'unknown';
  const isHidden = error?.code === 'tool_not_found' && mustAsk(name);
  return isHidden || error?.code === 'denied' ? 'denied' : 'error';
}

/** What a successful call has changed, by what it was asked to do. */
function tellEffects({ out }: Narrator, { id: toolCallId, name, input }: OpenCall): void {
  const change = changeOf(name, input);
  if (change) out.write({ type: 'file-change', toolCallId, changes: [change], outcome: 'success' });
  if (name === 'write_todos') out.write({ type: 'todo-update', entries: todosOf(input), toolCallId });
}

/** A run that failed says 0. */
function durationOf(value: Json): number | undefined {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined;
}
