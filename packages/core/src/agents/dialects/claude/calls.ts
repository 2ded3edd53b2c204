// Tool calls: from the first sight of a name to the last word about the outcome.

import type { AgentError, ContentPart, Outcome } from '../../../event/event.ts';
import { asText, type Json } from '../../../event/json.ts';
import { mcpTool } from '../../mcp.ts';
import { MCP_TOOL } from '../../tools.ts';
import { locationsOf, titleOf } from './inputs.ts';
import { type Call, inThread, type State, type Thread, type Turn, uniqueId } from './state.ts';

export interface CallFacts {
  readonly nativeId: string;
  readonly name: string;
  readonly thread: Thread;
  readonly turn: Turn | undefined;
  readonly messageId: string | undefined;
  readonly serverSide?: boolean;
  /** A tool's own name and its server's, where the line tells them. */
  readonly mcpOwnName?: string | undefined;
  readonly mcpServer?: string | undefined;
  readonly title?: string | undefined;
}

export function startCall(state: State, facts: CallFacts): Call {
  const call: Call = {
    id: uniqueId(state, 'call', facts.nativeId),
    nativeId: facts.nativeId,
    name: facts.name,
    thread: facts.thread,
    turn: facts.turn,
    serverSide: facts.serverSide ?? false,
    input: undefined,
    isInputEnded: false,
    startedTime: state.out.time,
    startedAt: state.out.at,
  };
  const open = state.calls.get(call.nativeId);
  if (open) open.add(call);
  else state.calls.set(call.nativeId, new Set([call]));
  call.thread.calls.add(call);
  if (call.thread === state.main) call.turn?.calls.add(call);
  const traits = facts.mcpServer === undefined ? state.speaker.traitsOf(call.name) : MCP_TOOL;
  inThread(state, facts.thread, () =>
    state.out.write({
      type: 'tool-call-start',
      toolCallId: call.id,
      toolName: call.name,
      kind: traits.kind,
      tags: traits.tags,
      title: facts.title,
      messageId: facts.messageId,
      mcp:
        facts.mcpServer === undefined
          ? mcpTool(call.name, facts.mcpOwnName)
          : { server: facts.mcpServer, tool: call.name },
      serverSide: call.serverSide || undefined,
    }),
  );
  return call;
}

/** The call's input is whole; it begins to run about now. */
export function endInput(state: State, call: Call, input: Json, synthetic?: true): void {
  if (call.isInputEnded) return;
  call.isInputEnded = true;
  call.input = input;
  call.startedTime = state.out.time ?? call.startedTime;
  call.startedAt = state.out.at ?? call.startedAt;
  const title = titleOf(input);
  const locations = locationsOf(input);
  inThread(state, call.thread, () =>
    state.out.write({ type: 'tool-call-input-end', toolCallId: call.id, input, title, locations, synthetic }),
  );
}

export interface CallEnd {
  readonly outcome: Outcome;
  readonly content?: readonly ContentPart[];
  readonly output?: Json;
  readonly exitCode?: number | undefined;
  readonly error?: AgentError | undefined;
  readonly nativeStatus?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly synthetic?: true;
}

export function endCall(state: State, call: Call, end: CallEnd): void {
  const open = state.calls.get(call.nativeId);
  open?.delete(call);
  if (open?.size === 0) state.calls.delete(call.nativeId);
  call.thread.calls.delete(call);
  call.turn?.calls.delete(call);
  if (!call.isInputEnded) endInput(state, call, call.input, true);
  inThread(state, call.thread, () =>
    state.out.write({
      type: 'tool-call-end',
      toolCallId: call.id,
      toolName: call.name,
      outcome: end.outcome,
      content: end.content ?? [],
      output: end.output,
      exitCode: end.exitCode,
      error: end.error,
      nativeStatus: end.nativeStatus,
      durationMs: end.durationMs ?? (end.synthetic ? undefined : elapsed(state, call)),
      synthetic: end.synthetic,
    }),
  );
}

function elapsed(state: State, call: Call): number | undefined {
  const { time, at } = state.out;
  if (time !== undefined && call.startedTime !== undefined) return Math.max(time - call.startedTime, 0);
  if (at !== undefined && call.startedAt !== undefined) return Math.max(at - call.startedAt, 0);
  return undefined;
}

/** The oldest open call with this id of the model's. */
export function openCall(state: State, nativeId: Json): Call | undefined {
  const id = asText(nativeId);
  const [oldest] = (id === undefined ? undefined : state.calls.get(id)) ?? [];
  return oldest;
}

/** Closes calls that can have no result any more. */
export function abandonCalls(state: State, calls: ReadonlySet<Call>, outcome: Outcome): void {
  for (const call of calls) endCall(state, call, { outcome, synthetic: true });
}
