// Prompts, model calls and messages. What Copilot calls a turn is a step here: one model call, and the calls it asks for.

import type { AgentError, ErrorCode, EventOf } from '../../event/event.ts';
import { asCount, asList, asObject, asText, entryOf, type Loose } from '../../event/json.ts';
import { textParts } from '../content.ts';
import { errorOf } from '../errors.ts';
import { inputFrom } from '../input.ts';
import { type Handler, type State, threadOf } from './state.ts';
import type { Data } from './wire.ts';

export const messageHandlers: readonly (readonly [string, Handler])[] = [
  ['user.message', tellPrompt],
  ['assistant.turn_start', startStep],
  ['assistant.turn_retry', tellRetry],
  ['assistant.message_start', openMessage],
  ['assistant.message_delta', addText],
  ['assistant.message', tellMessage],
  ['assistant.reasoning_delta', addReasoning],
  ['assistant.reasoning', tellReasoning],
  ['model.call_start', startCall],
  ['model.call_failure', failCall],
  ['agent.interrupted', breakOff],
];

const isMain = ({ narrator }: State): boolean => narrator.out.subagentId === undefined;

function tellPrompt(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  if (isMain(state)) narrator.startTurn(asText(data.interactionId));
  narrator.out.write({
    type: 'user-message',
    messageId: asText(data.messageId),
    content: textParts(asText(data.content)),
    origin: originOf(state, data),
  });
}

function originOf(state: State, data: Loose<Data>): EventOf<'user-message'>['origin'] {
  if (data.delivery === 'steering') return 'steering';
  const isOwn = data.isAutopilotContinuation === true || asText(data.source) !== undefined;
  // A sub-agent's prompt is the work of the one above it.
  return isOwn && isMain(state) ? 'injected' : 'prompt';
}

// ── Model calls ───────────────────────────────────────────────────────────────────────────────────

function startStep(state: State, data: Loose<Data>): void {
  const thread = threadOf(state);
  thread.messageId = undefined;
  thread.reasoning.clear();
  thread.failure = undefined;
  thread.asksForCalls = false;
  thread.announced.clear();
  thread.model = asText(data.model) ?? thread.model;
  state.narrator.startStep({ id: state.narrator.out.lineId, model: thread.model });
}

/** A call after one that failed is another attempt, whether or not that was announced. */
function startCall(state: State, data: Loose<Data>): void {
  const thread = threadOf(state);
  thread.model = asText(data.model) ?? thread.model;
  if (isMain(state)) state.narrator.learn({ model: thread.model });
  if (thread.failure) startRetry(state);
  state.isRetryTold = false;
}

/** Not the end: another attempt follows, or an error of the session. */
function failCall(state: State, data: Loose<Data>): void {
  // An MCP server's call of the model is none of the turn's.
  if (data.source === 'mcp_sampling') return;
  threadOf(state).failure = { error: callError(data), attempt: (asCount(data.retryAttempt) ?? 0) + 1 };
}

/** Words of the providers that tell more than the status. */
const TELLING: Readonly<Record<string, ErrorCode>> = {
  context_length_exceeded: 'context_full',
  insufficient_quota: 'billing',
};

/** Words that stand in for a status where the answer had begun well. */
const WITHOUT_STATUS: Readonly<Record<string, ErrorCode>> = {
  rate_limit_exceeded: 'rate_limit',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'overloaded',
  server_error: 'server',
  api_error: 'server',
};

function callError(data: Loose<Data>): AgentError {
  const text = asText(data.errorMessage) ?? 'the model call failed';
  const nativeCode = asText(data.errorCode) ?? asText(data.errorType);
  const status = asCount(data.statusCode);
  const code = entryOf(TELLING, nativeCode) ?? (status === undefined ? entryOf(WITHOUT_STATUS, nativeCode) : undefined);
  return errorOf({ message: messageIn(text), nativeCode, status, code });
}

/** Mostly the provider's answer as JSON, or a sentence as JSON. */
function messageIn(text: string): string {
  const said = inputFrom(text);
  return asText(said) ?? asText(asObject<{ message: string }>(said)?.message) ?? text;
}

function tellRetry(state: State): void {
  state.isRetryTold = true;
  startRetry(state);
}

function startRetry(state: State): void {
  const thread = threadOf(state);
  const { error, attempt = 1 } = thread.failure ?? {};
  thread.failure = undefined;
  takeBack(state);
  if (isMain(state)) state.narrator.startRetry({ attempt, error });
}

/** What came of an attempt that failed is said again by the next. */
function takeBack(state: State): void {
  const { narrator } = state;
  const thread = threadOf(state);
  if (!narrator.isMessageOpen || thread.isWhole) return;
  const { id } = narrator.startMessage();
  const toolCallIds = [...thread.announced].flatMap((call) => narrator.openCall(call)?.id ?? []);
  for (const call of thread.announced) narrator.endCall(call, { outcome: 'cancelled', content: [] });
  breakOff(state);
  narrator.endMessage();
  thread.announced.clear();
  const calls = toolCallIds.length === 0 ? undefined : toolCallIds;
  narrator.out.write({ type: 'message-retract', messageIds: [id], toolCallIds: calls, reason: 'retry' });
}

/** Somebody stopped it: what is being written stays as it is. */
function breakOff(state: State): void {
  const { narrator } = state;
  const { reasoning } = threadOf(state);
  for (const key of reasoning) narrator.endBlock('reasoning', undefined, { partial: true }, key);
  reasoning.clear();
  narrator.endBlock('text', undefined, { partial: true });
}

// ── Messages ──────────────────────────────────────────────────────────────────────────────────────

/** Reasoning comes before the message has a name: what is open without one is the same message. */
function openMessage(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  const thread = threadOf(state);
  const id = asText(data.messageId);
  const isSame = narrator.isMessageOpen && (thread.messageId === undefined || thread.messageId === id);
  thread.messageId = id;
  if (isSame) return;
  thread.isWhole = false;
  narrator.startMessage({ id, model: thread.model });
}

function addText(state: State, data: Loose<Data>): void {
  openMessage(state, data);
  state.narrator.addText('text', asText(data.deltaContent) ?? '');
}

function addReasoning(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  const thread = threadOf(state);
  const key = reasoningKey(data);
  if (!narrator.isMessageOpen) {
    thread.messageId = undefined;
    thread.isWhole = false;
    narrator.startMessage({ model: thread.model });
  }
  thread.reasoning.add(key);
  narrator.addText('reasoning', asText(data.deltaContent) ?? '', key);
}

const reasoningKey = (data: Loose<Data>): string => `reasoning ${asText(data.reasoningId) ?? ''}`;

/** The whole message. Its calls are told when they begin. */
function tellMessage(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  const thread = threadOf(state);
  thread.model = asText(data.model) ?? thread.model;
  openMessage(state, data);
  endReasoning(state, data);
  narrator.endBlock('text', asText(data.content));
  thread.text = asText(data.content) || thread.text;
  thread.isWhole = true;
  thread.asksForCalls ||= asList(data.toolRequests).length > 0;
}

/** The message says its reasoning once more, all of it in one. */
function endReasoning(state: State, data: Loose<Data>): void {
  const { narrator } = state;
  const thread = threadOf(state);
  const text = asText(data.reasoningText) || undefined;
  const provider = asObject<Data['reasoningBlocks']>(data.reasoningBlocks)?.provider;
  const form = provider === 'openai-responses' ? 'summary' : 'unknown';
  const end = { form, signature: asText(data.reasoningOpaque) } as const;
  const [first, ...others] = thread.reasoning;
  thread.reasoning.clear();
  if (first === undefined) {
    if (text !== thread.toldReasoning) narrator.endBlock('reasoning', text, end);
  } else {
    narrator.endBlock('reasoning', others.length === 0 ? text : undefined, end, first);
    for (const key of others) narrator.endBlock('reasoning', undefined, end, key);
  }
  thread.toldReasoning = text ?? thread.toldReasoning;
}

function tellReasoning(state: State, data: Loose<Data>): void {
  const thread = threadOf(state);
  const key = reasoningKey(data);
  const text = asText(data.content);
  if (!thread.reasoning.delete(key) && text === thread.toldReasoning) return;
  thread.toldReasoning = text;
  state.narrator.endBlock('reasoning', text, {}, key);
}
