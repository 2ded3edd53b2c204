// OpenCode's messages → neutral events. A step is told as it goes on, a call only when it is over, and the end of a run not at all:
// the turn ends with a step after which OpenCode calls the model no more.

import type { AgentError, ErrorCode, EventOf, StopReason, Usage } from '../../event/event.ts';
import { asCount, asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { textParts } from '../content.ts';
import { errorOf } from '../errors.ts';
import { readExit } from '../exit.ts';
import { Narrator } from '../narrator/narrator.ts';
import { changesOf, contentOf, taskResult, todosOf, verdictOf } from './results.ts';
import { locationsOf, mcpTool, titleOf, traitsOf } from './tools.ts';
import type { OpenCodeLine, Part, PartMetadata, Span, Tokens, ToolMetadata, ToolState, WireError } from './wire.ts';

/** What outlives a line. */
interface State {
  readonly narrator: Narrator;
  /** Parts that were told: one that changes afterwards is printed again. */
  readonly told: Set<string>;
  /** The step has a call whose result the model is to see, whatever the step gives as its reason to stop. */
  hasCalls: boolean;
  /** How the last turn ended, while nothing has begun after it. */
  ended: Pick<EventOf<'turn-end'>, 'outcome' | 'stopReason'> | undefined;
  /** What was said last: when the history was summarised, the summary. */
  lastText: string | undefined;
  /** The first error. OpenCode ends with 1 when it has told one, also when it got over it. */
  failure: AgentError | undefined;
}

type Handler = (state: State, part: Loose<Part>) => void;

const partHandlers: ReadonlyMap<Json, Handler> = new Map<Json, Handler>([
  ['step_start', startStep],
  ['step_finish', finishStep],
  ['text', tellText],
  ['reasoning', tellReasoning],
  ['tool_use', tellCall],
]);

export function createTranslator(): Translator {
  const narrator: Narrator = new Narrator({
    agent: 'opencode',
    readExit(exit, seen) {
      const { failure } = state;
      const isFailed = failure && seen.ending?.outcome !== 'cancelled';
      return readExit(exit, isFailed ? { ...seen, ending: { outcome: 'error', error: failure } } : seen);
    },
  });
  const state: State = {
    narrator,
    told: new Set(),
    hasCalls: false,
    ended: undefined,
    lastText: undefined,
    failure: undefined,
  };

  return {
    translate(message, out) {
      const line = asObject<OpenCodeLine>(message);
      const handler = partHandlers.get(line?.type);
      const part = asObject<Part>(line?.part);
      const error = line?.type === 'error' ? asObject<WireError>(line.error) : undefined;
      if (!(handler && part) && !error) {
        narrator.begin(out);
        return narrator.keepUnknown(message);
      }
      out.time = asNumber(line?.timestamp);
      out.sessionId = asText(line?.sessionID) ?? out.sessionId;
      out.lineId = asText(part?.id);
      narrator.begin(out);
      if (error) tellError(state, error);
      else if (part && isNew(state, part)) handler?.(state, part);
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}

function isNew({ told }: State, part: Loose<Part>): boolean {
  const id = asText(part.id);
  if (id === undefined) return true;
  const isTold = told.has(id);
  told.add(id);
  return !isTold;
}

// ── Steps ─────────────────────────────────────────────────────────────────────────────────────────

function startStep(state: State, part: Loose<Part>): void {
  state.hasCalls = false;
  state.ended = undefined;
  state.narrator.startStep({ id: asText(part.messageID) });
  state.narrator.startMessage();
}

/** A stream that begins in the middle has not told of the step. */
function needStep(state: State, part: Loose<Part>): void {
  if (!state.narrator.isStepOpen) startStep(state, part);
}

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'content_filter',
  error: 'error',
};

/** After these the model is called again, or an error is told. */
const NO_END: ReadonlySet<string> = new Set(['tool-calls', 'unknown', 'content-filter', 'error']);

function finishStep(state: State, part: Loose<Part>): void {
  const { narrator } = state;
  const reason = asText(part.reason);
  const stopReason = reason === undefined ? undefined : (entryOf(STOP_REASONS, reason) ?? 'unknown');
  const cost = asNumber(part.cost);
  needStep(state, part);
  narrator.endStep({
    stopReason,
    usage: usageOf(part.tokens),
    cost: cost === undefined ? undefined : { amount: cost, currency: 'USD' },
  });
  if (reason === undefined || NO_END.has(reason) || state.hasCalls) return;
  state.ended = { outcome: 'success', ...(stopReason && { stopReason }) };
  narrator.endTurn(state.ended);
}

function usageOf(value: Json): Usage | undefined {
  const tokens = asObject<Tokens>(value);
  if (!tokens) return undefined;
  const cache = asObject<Tokens['cache']>(tokens.cache);
  const cacheReadTokens = asCount(cache?.read) ?? 0;
  const cacheWriteTokens = asCount(cache?.write) ?? 0;
  const reasoningTokens = asCount(tokens.reasoning) ?? 0;
  const inputTokens = (asCount(tokens.input) ?? 0) + cacheReadTokens + cacheWriteTokens;
  const outputTokens = (asCount(tokens.output) ?? 0) + reasoningTokens;
  const totalTokens = asCount(tokens.total) ?? inputTokens + outputTokens;
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens, totalTokens };
}

// ── Text ──────────────────────────────────────────────────────────────────────────────────────────

function tellText(state: State, part: Loose<Part>): void {
  const { narrator } = state;
  const text = asText(part.text);
  if (part.synthetic !== true && part.ignored !== true) {
    needStep(state, part);
    narrator.endBlock('text', text);
    state.lastText = text;
    return;
  }
  // What was printed just before was the summary.
  if (asObject<PartMetadata>(part.metadata)?.compaction_continue === true)
    narrator.endCompaction({ outcome: 'success', trigger: 'auto', summary: state.lastText });
  narrator.startTurn();
  narrator.out.write({
    type: 'user-message',
    messageId: asText(part.messageID),
    content: textParts(text),
    origin: 'injected',
  });
}

function tellReasoning(state: State, part: Loose<Part>): void {
  const { anthropic } = asObject<PartMetadata>(part.metadata) ?? {};
  const signature = asText(asObject<PartMetadata['anthropic']>(anthropic)?.signature);
  const end = { form: 'unknown', signature, durationMs: lengthOf(part.time) } as const;
  needStep(state, part);
  state.narrator.endBlock('reasoning', asText(part.text), end);
}

// ── Calls ─────────────────────────────────────────────────────────────────────────────────────────

function tellCall(state: State, part: Loose<Part>): void {
  const { narrator } = state;
  const result = asObject<ToolState>(part.state) ?? {};
  // A result was taken out of the history: its call was told long ago, perhaps by an earlier run.
  if (asNumber(asObject<Span>(result.time)?.compacted) !== undefined) return;
  const isServerSide = asObject<PartMetadata>(part.metadata)?.providerExecuted === true;
  const id = asText(part.callID) ?? asText(part.id) ?? `call-${narrator.out.line}`;
  const name = asText(part.tool) ?? 'unknown';
  const { input } = result;
  const call = narrator.startCall({
    id,
    name,
    traits: traitsOf(name),
    mcp: mcpTool(name),
    title: titleOf(input) ?? firstRow(result.title),
    serverSide: isServerSide || undefined,
  });
  narrator.endInput(id, input ?? {}, { locations: locationsOf(input) });
  const { refusedBy, ...verdict } = verdictOf(name, result);
  if (verdict.error?.code !== 'cancelled' && !isServerSide) state.hasCalls = true;
  if (refusedBy) narrator.resolvePermission(undefined, { toolCallId: call.id, decision: 'denied', by: refusedBy });
  if (name === 'task') tellTask(state, call.id, result, verdict);
  narrator.endCall(id, {
    ...verdict,
    content: contentOf(result),
    nativeStatus: asText(result.status),
    durationMs: lengthOf(result.time),
  });
  // A stream that broke leaves a call behind, which is stopped and told when all is over: nothing goes on after it.
  if (verdict.error?.code === 'cancelled' && state.ended) narrator.endTurn(state.ended);
  if (verdict.outcome !== 'success') return;
  const changes = changesOf(name, result);
  if (changes.length > 0) narrator.out.write({ type: 'file-change', toolCallId: call.id, changes, outcome: 'success' });
  const entries = name === 'todowrite' ? todosOf(result) : undefined;
  if (entries) narrator.out.write({ type: 'todo-update', entries, toolCallId: call.id });
}

/** Some results have a report for a title. */
const firstRow = (title: Json): string | undefined => asText(title)?.split('\n', 1)[0] || undefined;

interface TaskInput {
  description: string;
  prompt: string;
  subagent_type: string;
}

/** A sub-agent is told of only by the call that ran it. One in the background goes on, and nobody tells how it ends. */
function tellTask(
  { narrator }: State,
  toolCallId: string,
  result: Loose<ToolState>,
  { outcome, error }: ReturnType<typeof verdictOf>,
): void {
  const metadata = asObject<ToolMetadata>(result.metadata);
  const id = asText(metadata?.sessionId);
  if (id === undefined) return;
  const input = asObject<TaskInput>(result.input);
  const background = metadata?.background === true || undefined;
  narrator.startTask({
    id,
    kind: 'agent',
    toolCallId,
    name: asText(input?.subagent_type),
    description: asText(input?.description),
    prompt: asText(input?.prompt),
    model: asText(asObject<ToolMetadata['model']>(metadata?.model)?.modelID),
    background,
  });
  if (background) return;
  narrator.endTask(id, { outcome, error, result: taskResult(result.output), durationMs: lengthOf(result.time) });
}

function lengthOf(value: Json): number | undefined {
  const time = asObject<Span>(value);
  const start = asNumber(time?.start);
  const end = asNumber(time?.end);
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}

// ── Errors ────────────────────────────────────────────────────────────────────────────────────────

const ERROR_CODES: Readonly<Record<string, ErrorCode>> = {
  ProviderAuthError: 'authentication',
  ContextOverflowError: 'context_full',
  ContentFilterError: 'content_filter',
  StructuredOutputError: 'structured_output',
  MessageAbortedError: 'cancelled',
  BadRequest: 'invalid_request',
};

const ERROR_STOPS: Readonly<Record<string, StopReason>> = {
  MessageOutputLengthError: 'max_tokens',
  ContentFilterError: 'content_filter',
};

function tellError(state: State, wire: Loose<WireError>): void {
  const { narrator } = state;
  const name = asText(wire.name) ?? asText(wire._tag);
  const data = asObject<WireError['data']>(wire.data);
  const retryable = data?.isRetryable;
  const error = errorOf({
    message: asText(data?.message) ?? asText(wire.message) ?? name ?? 'unknown error',
    nativeCode: name,
    status: asCount(data?.statusCode),
    code: entryOf(ERROR_CODES, name),
    retryable: typeof retryable === 'boolean' ? retryable : undefined,
  });
  narrator.startTurn();
  if (name === 'MessageAbortedError') {
    narrator.abort();
    return narrator.endTurn({ outcome: 'cancelled', stopReason: 'cancelled' });
  }
  state.failure ??= error;
  // The history is summarised and the turn goes on, unless that is switched off.
  const isOver = name !== 'ContextOverflowError';
  narrator.fail(error, isOver);
  if (isOver) narrator.endTurn({ outcome: 'error', stopReason: entryOf(ERROR_STOPS, name) ?? 'error', error });
}
