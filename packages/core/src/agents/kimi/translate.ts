// Kimi's messages → neutral events. The assistant's line is printed only when the first of its
// tools is over, so no call is ever seen at work.

import type { AgentError } from '../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, type Json, type Loose } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { textIn } from '../content.ts';
import { errorOf } from '../errors.ts';
import { inputFrom } from '../input.ts';
import { mcpTool } from '../mcp.ts';
import { Narrator } from '../narrator/narrator.ts';
import { contentOf, resultOf } from './results.ts';
import { startTask, tellTask } from './tasks.ts';
import { locationsOf, titleOf, todosOf, traitsOf } from './tools.ts';
import type { KimiCall, KimiLine } from './wire.ts';

interface Run {
  readonly narrator: Narrator;
  /** Why the goal of the run was not reached. */
  failure: AgentError | undefined;
}

export function createTranslator(): Translator {
  const narrator = new Narrator({ agent: 'kimi' });
  const run: Run = { narrator, failure: undefined };

  return {
    translate(message, out) {
      const line = asObject<KimiLine>(message);
      narrator.begin(out, line?.type === 'system.version' ? { agentVersion: asText(line.version) } : {});
      switch (line?.role) {
        case 'assistant':
          return tellAssistant(narrator, line);
        case 'tool':
          return tellResult(narrator, line);
        default:
          return tellRun(run, line ?? {}, message);
      }
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}

const HOOK = /^(\w{1,40}) hook( blocked)?\n\n/;

function tellAssistant(narrator: Narrator, line: Loose<KimiLine>): void {
  const { out } = narrator;
  const text = textIn(line.content);
  // What a hook has to say looks like an answer.
  const hook = HOOK.exec(text.slice(0, 80));
  if (hook?.[1] === 'UserPromptSubmit' && line.tool_calls === undefined) {
    const id = `hook-${out.line}`;
    narrator.startHook(id, { name: hook[1], on: hook[1] });
    narrator.endHook(id, { outcome: hook[2] ? 'denied' : 'success', output: text.slice(hook[0].length) });
    return;
  }
  narrator.startStep({ id: `step-${out.line}` });
  narrator.startMessage();
  narrator.endBlock('text', text);
  const calls = asList(line.tool_calls);
  for (const [index, value] of calls.entries()) {
    const wanted = asObject<KimiCall>(value);
    const { name: told, arguments: given } = asObject<KimiCall['function']>(wanted?.function) ?? {};
    const name = asText(told) ?? 'unknown';
    const id = asText(wanted?.id) ?? `call-${out.line}-${index}`;
    const input = typeof given === 'string' ? inputFrom(given) : (given ?? {});
    const call = narrator.startCall({ id, name, traits: traitsOf(name), mcp: mcpTool(name), title: titleOf(input) });
    narrator.endInput(id, input, { locations: locationsOf(input) });
    if (name === 'Agent') startTask(narrator, id, call);
  }
  narrator.endStep({ stopReason: calls.length > 0 ? 'tool_use' : undefined });
}

function tellResult(narrator: Narrator, line: Loose<KimiLine>): void {
  const id = line.tool_call_id;
  const call = narrator.openCall(id);
  if (!call) return narrator.keep(line, 'tool');
  const text = textIn(line.content);
  const result = resultOf(call.name, text);
  narrator.endCall(id, { ...result, content: contentOf(call.name, line.content) });
  if (result.outcome === 'denied') {
    narrator.resolvePermission(undefined, { toolCallId: call.id, decision: 'denied', by: 'policy' });
  }
  if (result.outcome === 'cancelled') narrator.abort();
  if (call.name === 'Agent') tellTask(narrator, asText(id) ?? '', text);
  // A list that was not understood is not taken over.
  const entries = call.name === 'TodoList' && !text.startsWith('Invalid args') ? todosOf(call.input) : undefined;
  if (entries) narrator.out.write({ type: 'todo-update', entries, toolCallId: call.id });
}

/** A line about the run. */
function tellRun(run: Run, line: Loose<KimiLine>, message: Json): void {
  const { narrator } = run;
  switch (line.type) {
    case 'system.version':
      return;
    case 'turn.step.retrying':
      return tellRetry(narrator, line);
    case 'goal.summary':
      run.failure = goalFailure(line);
      return narrator.keep(message);
    case 'session.resume_hint': {
      // Printed when all went well, or when a goal was given up.
      narrator.out.sessionId = asText(line.session_id) ?? narrator.out.sessionId;
      const { failure } = run;
      if (!failure) return narrator.endTurn({ outcome: 'success', stopReason: 'end_turn' });
      narrator.fail(failure, true);
      return narrator.endTurn({ outcome: 'error', stopReason: 'error', error: failure });
    }
    default:
      narrator.keepUnknown(message);
  }
}

function tellRetry(narrator: Narrator, line: Loose<KimiLine>): void {
  narrator.startRetry({
    attempt: asCount(line.failed_attempt) ?? 1,
    maxAttempts: asCount(line.max_attempts),
    delayMs: asNumber(line.delay_ms),
    error: errorOf({
      message: asText(line.error_message) ?? 'the model call failed',
      nativeCode: asText(line.error_name),
      status: asCount(line.status_code),
      retryable: true,
    }),
  });
}

/** The exit code says the same: 3 when the goal is blocked, 6 when it is paused. */
function goalFailure({ status, reason }: Loose<KimiLine>): AgentError | undefined {
  if (status !== 'blocked' && status !== 'paused') return undefined;
  return { code: 'unknown', message: asText(reason) ?? `the goal is ${status}`, nativeCode: `goal ${status}` };
}
