// Calls: announced, run, and over.

import { asText, type Loose } from '../../event/json.ts';
import { changesOf, contentOf, structuredOf, verdictOf } from './results.ts';
import { type Handler, type State, threadOf } from './state.ts';
import { locationsOf, mcpTool, titleOf, todosOf, traitsOf } from './tools.ts';
import type { CopilotLine, Data } from './wire.ts';

export const callHandlers: readonly (readonly [string, Handler])[] = [
  ['assistant.tool_call_delta', addInput],
  ['tool.user_requested', startCall],
  ['tool.execution_start', startCall],
  ['tool.shell_output', addOutput],
  ['tool.execution_partial_result', showOutput],
  ['tool.execution_progress', showProgress],
  ['tool.execution_complete', endCall],
];

/** The call is known by its name before its input is whole. */
function addInput(state: State, data: Loose<Data>): void {
  const id = asText(data.toolCallId);
  const name = asText(data.toolName);
  const { narrator } = state;
  if (id === undefined) return;
  if (name !== undefined && !narrator.openCall(id)) {
    threadOf(state).announced.add(id);
    narrator.startCall({ id, name, traits: traitsOf(name, undefined) });
  }
  narrator.addInput(id, asText(data.inputDelta) ?? '');
}

function startCall(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  const id = asText(data.toolCallId) ?? `call-${narrator.out.line}`;
  const name = asText(data.toolName) ?? 'unknown';
  const input = data.arguments ?? {};
  const mcp = mcpTool(data);
  const title = titleOf(input) ?? asText(data.toolTitle);
  const isAnnounced = threadOf(state).announced.delete(id);
  narrator.startCall({ id, name, traits: traitsOf(name, mcp), mcp, title });
  narrator.endInput(id, input, { title: isAnnounced ? title : undefined, locations: locationsOf(input) });
}

function addOutput(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const id = asText(data.toolCallId);
  const text = asText(data.text);
  if (id === undefined || !text) return;
  const stream = data.stream === 'stdout' || data.stream === 'stderr' ? data.stream : undefined;
  if (state.narrator.updateCall(id, { outputDelta: text, stream })) state.live.add(id);
  // A command in the background goes on after its call is over.
  else state.narrator.keep(line);
}

function showOutput({ narrator, live }: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const id = asText(data.toolCallId);
  const text = asText(data.partialOutput);
  if (id === undefined || !text || live.has(id)) return;
  if (!narrator.updateCall(id, { outputSnapshot: text })) narrator.keep(line);
}

function showProgress({ narrator }: State, data: Loose<Data>): void {
  const title = asText(data.progressMessage);
  if (title) narrator.updateCall(data.toolCallId, { status: 'in_progress', title });
}

function endCall(state: State, data: Loose<Data>, line: Loose<CopilotLine>): void {
  const { narrator } = state;
  const id = asText(data.toolCallId);
  const call = narrator.openCall(id);
  if (id === undefined || !call) return narrator.keep(line);
  const verdict = verdictOf(data);
  if (verdict.outcome === 'denied' && !state.refused.has(id)) {
    // Without a terminal nobody is asked; a rejection is a person's.
    const by = verdict.nativeStatus === 'rejected' ? 'user' : 'policy';
    narrator.resolvePermission(undefined, { toolCallId: call.id, decision: 'denied', by });
  }
  state.live.delete(id);
  state.refused.delete(id);
  narrator.endCall(id, { ...verdict, content: contentOf(data), output: structuredOf(data) });
  const { out } = narrator;
  const changes = verdict.outcome === 'success' ? changesOf(data, call.input) : [];
  if (changes.length > 0) out.write({ type: 'file-change', toolCallId: call.id, changes, outcome: 'success' });
  const entries = call.name === 'update_todo' ? todosOf(call.input) : undefined;
  if (entries) out.write({ type: 'todo-update', entries, toolCallId: call.id });
}
