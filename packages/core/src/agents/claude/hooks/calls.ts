// Tool calls: a payload before each, one after it, and one when all calls of an answer have their results. The last is the only
// one that tells of calls which were refused, or which never came so far as to be run.

import type { ContentPart, Outcome } from '../../../event/event.ts';
import { asList, asNumber, asObject, asText, type Json, type Loose } from '../../../event/json.ts';
import { textIn } from '../../content.ts';
import { endCall, endInput, startCall } from '../../dialects/claude/calls.ts';
import { settleRequest } from '../../dialects/claude/control.ts';
import { inputTold, resultTold } from '../../dialects/claude/effects.ts';
import { partsOf } from '../../dialects/claude/parts.ts';
import { type Call, inThread, type State, type Thread } from '../../dialects/claude/state.ts';
import { endTaskOfCall, translateTaskStarted, translateTaskUpdated } from '../../dialects/claude/tasks.ts';
import { translateToolResult } from '../../dialects/claude/tool-results.ts';
import { currentTurn } from '../../dialects/claude/turns.ts';
import type { ToolOutput, ToolResultMeta } from '../../dialects/claude/wire.ts';
import { type Feed, keep, rememberEnded, threadOfPayload } from './feed.ts';
import type { HookPayload, HookToolCall } from './wire.ts';

export function toolStarts(feed: Feed, payload: Loose<HookPayload>): void {
  const thread = threadOfPayload(feed, payload);
  if (callIn(thread, payload.tool_use_id) || !beginCall(feed.state, thread, payload)) keep(feed, payload);
}

export function toolEnds(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const call = callOf(feed, payload);
  if (!call) return keep(feed, payload);
  rememberEnded(feed, call);
  const output = payload.tool_response;
  const fields = asObject<ToolOutput>(output);
  inThread(state, call.thread, () => {
    settleRequest(state, call, 'success', undefined, fields?.answers);
    endCall(state, call, {
      outcome: 'success',
      content: contentOf(output),
      output,
      exitCode: isCommand(state, call) ? codeOfSuccess(fields) : undefined,
      durationMs: asNumber(payload.duration_ms),
    });
    resultTold(state, call, output, textIn(output), undefined);
    if (isHelper(state, call)) endTaskOfCall(state, call, 'success', output);
    tellBackground(state, call, fields);
  });
}

export function toolFails(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const call = callOf(feed, payload);
  if (!call) return keep(feed, payload);
  rememberEnded(feed, call);
  const message = asText(payload.error) ?? 'the call failed';
  const outcome: Outcome = payload.is_interrupt === true ? 'cancelled' : 'error';
  inThread(state, call.thread, () => {
    settleRequest(state, call, outcome, undefined, undefined);
    endCall(state, call, {
      outcome,
      content: partsOf(message),
      exitCode: isCommand(state, call) ? codeOfFailure(message) : undefined,
      error: { code: outcome === 'cancelled' ? 'cancelled' : 'unknown', message },
      durationMs: asNumber(payload.duration_ms),
    });
    if (isHelper(state, call)) endTaskOfCall(state, call, outcome, undefined);
  });
}

const ERROR_OPEN = '<tool_use_error>';

/** The results of an answer's calls: ends those that no other payload has ended. */
export function batchEnds(feed: Feed, payload: Loose<HookPayload>): void {
  const { state } = feed;
  const thread = threadOfPayload(feed, payload);
  let isNews = false;
  for (const value of asList(payload.tool_calls)) {
    const entry = asObject<HookToolCall>(value);
    const id = asText(entry?.tool_use_id);
    if (!entry || id === undefined) continue;
    // One that was about to run and has a result all the same was refused: had it run, its own payload would have come.
    const refused = callIn(thread, id);
    const call = refused ?? (state.used.call.has(id) ? undefined : beginCall(state, thread, entry));
    if (!call) continue;
    rememberEnded(feed, call);
    isNews = true;
    const isError = refused !== undefined || textIn(entry.tool_response).startsWith(ERROR_OPEN);
    const block = { type: 'tool_result', tool_use_id: id, content: entry.tool_response, is_error: isError } as const;
    inThread(state, thread, () => translateToolResult(state, thread, {}, refused ? refusalOf(id) : NO_METAS, block));
  }
  if (!isNews) keep(feed, payload);
}

const NO_METAS: ReadonlyMap<string, Loose<ToolResultMeta>> = new Map();

function refusalOf(id: string): ReadonlyMap<string, Loose<ToolResultMeta>> {
  return new Map([[id, { id, permission_decision: { decision: 'reject' } }]]);
}

/** The call that a payload ends. One that began before anybody listened is begun; one that has ended is not begun again. */
function callOf(feed: Feed, payload: Loose<HookPayload>): Call | undefined {
  const thread = threadOfPayload(feed, payload);
  const id = asText(payload.tool_use_id);
  const open = callIn(thread, id);
  if (open || id === undefined || feed.state.used.call.has(id)) return open;
  return beginCall(feed.state, thread, payload);
}

/** An id may be open in two threads at once. */
function callIn(thread: Thread, id: Json): Call | undefined {
  for (const call of thread.calls) if (call.nativeId === id) return call;
  return undefined;
}

function beginCall(state: State, thread: Thread, payload: Loose<HookToolCall>): Call | undefined {
  const nativeId = asText(payload.tool_use_id);
  const name = asText(payload.tool_name);
  if (nativeId === undefined || name === undefined) return undefined;
  const turn = thread === state.main ? currentTurn(state) : undefined;
  const call = startCall(state, { nativeId, name, thread, turn, messageId: undefined });
  endInput(state, call, payload.tool_input);
  inThread(state, thread, () => inputTold(state, call));
  return call;
}

function isHelper(state: State, call: Call): boolean {
  return state.speaker.traitsOf(call.name).tags?.includes('subagent') === true;
}

function isCommand(state: State, call: Call): boolean {
  return state.speaker.traitsOf(call.name).kind === 'execute';
}

/** A success says zero, unless the command still runs or its code was explained away. */
function codeOfSuccess(fields: Loose<ToolOutput> | undefined): number | undefined {
  const isOver = asText(fields?.stdout) !== undefined && fields?.backgroundTaskId === undefined;
  return isOver && fields?.interrupted !== true && fields?.returnCodeInterpretation === undefined ? 0 : undefined;
}

const EXIT_CODE = /^Exit code (\d{1,9})(?!\d)/;

function codeOfFailure(text: string): number | undefined {
  const told = EXIT_CODE.exec(text)?.[1];
  return told === undefined ? undefined : Number(told);
}

/** What a person would read of a tool's structured output; the whole of it is the event's `output`. */
function contentOf(output: Json): readonly ContentPart[] {
  if (typeof output === 'string' || Array.isArray(output)) return partsOf(output);
  const fields = asObject<{ stdout: string; stderr: string; content: Json; file: Json }>(output);
  const printed = [asText(fields?.stdout), asText(fields?.stderr)].filter(Boolean).join('\n');
  if (printed !== '') return partsOf(printed);
  const read = asText(asObject<{ content: string }>(fields?.file)?.content);
  return read !== undefined ? partsOf(read) : Array.isArray(fields?.content) ? partsOf(fields.content) : [];
}

/** What goes on after its call has ended. */
function tellBackground(state: State, call: Call, fields: Loose<ToolOutput> | undefined): void {
  const commandId = asText(fields?.backgroundTaskId);
  if (commandId !== undefined) {
    const about = asObject<{ description: string }>(call.input);
    translateTaskStarted(state, {
      task_id: commandId,
      tool_use_id: call.id,
      task_type: 'local_bash',
      description: about?.description,
      is_backgrounded: true,
    });
  }
  const agentId = fields?.status === 'async_launched' ? asText(fields.agentId) : undefined;
  const task = agentId === undefined ? undefined : state.tasks.get(agentId);
  if (task && state.openTasks.has(task))
    translateTaskUpdated(state, { task_id: agentId, patch: { is_backgrounded: true } });
}
