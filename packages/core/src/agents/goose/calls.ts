// Calls and their results, as goose tells them.

import type { AgentError, Outcome } from '../../event/event.ts';
import { asNumber, asObject, asText, type Json, type Loose } from '../../event/json.ts';
import { partsOf, textIn, textParts } from '../content.ts';
import type { Narrator } from '../narrator/narrator.ts';
import { refusedBy } from './sayings.ts';
import { startTask, tellTask } from './tasks.ts';
import { changeOf, locationsOf, titleOf, toolOf } from './tools.ts';
import type { GooseCall, GoosePart, GooseResult, Wrapped } from './wire.ts';

/** A call that could not be read has no name, only the reason. */
export function startCall(narrator: Narrator, part: Loose<GoosePart>, id: string): void {
  const told = asObject<Wrapped<GooseCall>>(part.toolCall);
  const { name: toldName, arguments: input } = asObject<GooseCall>(told?.value) ?? {};
  const name = asText(toldName) ?? 'unknown';
  const tool = toolOf(name, asText(asObject<GoosePart['_meta']>(part._meta)?.goose_extension));
  const call = narrator.startCall({ id, name, ...tool, title: titleOf(input) ?? asText(told?.error) });
  narrator.endInput(id, input ?? {}, { locations: locationsOf(input) });
  if (name === 'delegate') startTask(narrator, id, call);
}

/** False when no call is open under this id. */
export function endCall(narrator: Narrator, part: Loose<GoosePart>, isAsked: boolean): boolean {
  const call = narrator.openCall(part.id);
  if (!call) return false;
  const told = asObject<Wrapped<GooseResult>>(part.toolResult);
  const result = asObject<GooseResult>(told?.value);
  const failure = asText(told?.error);
  const text = failure ?? textIn(result?.content);
  const structured = asObject<GooseResult['structuredContent']>(result?.structuredContent);
  const exitCode = asNumber(structured?.exit_code);
  const by = refusedBy(text);
  const outcome: Outcome = by ? 'denied' : outcomeOf(told, result, exitCode);
  if (by || isAsked) {
    const decision = by ? 'denied' : 'allowed';
    narrator.resolvePermission(asText(part.id), { toolCallId: call.id, decision, by: by ?? 'unknown' });
  }
  narrator.endCall(part.id, {
    outcome,
    content: result ? partsOf(result.content) : textParts(failure),
    output: result?.structuredContent ?? undefined,
    exitCode,
    error: structured?.timed_out === true ? TIMEOUT : outcome === 'error' ? errorIn(text, failure) : undefined,
    nativeStatus: asText(told?.status),
    // The times are whole seconds, which is no measure for a call.
    durationMs: undefined,
  });
  if (typeof part.id === 'string') tellTask(narrator, part.id, call, { result, outcome, text });
  const change = outcome === 'success' ? changeOf(call.name, call.input, text) : undefined;
  if (change) narrator.out.write({ type: 'file-change', toolCallId: call.id, changes: [change], outcome });
  return true;
}

function outcomeOf(
  told: Loose<Wrapped<GooseResult>> | undefined,
  result: Loose<GooseResult> | undefined,
  exitCode: number | undefined,
): Outcome {
  if (told?.status === 'error' || result?.isError === true) return 'error';
  if (exitCode !== undefined && exitCode !== 0) return 'error';
  return told?.status === 'success' ? 'success' : 'unknown';
}

const TIMEOUT: AgentError = { code: 'timeout', message: 'the command took too long' };

const NATIVE_CODE = /^(-\d{1,6}): /;

/** What a tool itself says about its failure is its result; this is for what goose says. */
function errorIn(text: string, failure: string | undefined): AgentError | undefined {
  if (/^(?:-\d{1,6}: )?Tool '[^']{0,200}' not found/.test(text.slice(0, 250))) {
    return { code: 'tool_not_found', message: text };
  }
  if (failure === undefined) return undefined;
  const nativeCode = NATIVE_CODE.exec(failure.slice(0, 20))?.[1];
  const code = nativeCode === '-32602' ? 'invalid_input' : 'unknown';
  return { code, message: failure, ...(nativeCode !== undefined && { nativeCode }) };
}

/** What goose asks its host; headless it gives the answer itself. */
export function askHost(narrator: Narrator, id: string, toolName: Json, input: Json, prompt: Json): void {
  const toolCallId = narrator.openCall(id)?.id;
  narrator.askPermission(id, { toolCallId, toolName: asText(toolName), input, reason: asText(prompt) });
}
