// pi's messages → neutral events. Our turn is one prompt with everything that is done about it, retries included: from the first
// `agent_start` to `agent_settled`.

import type { EventOf, Outcome, StopReason } from '../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, entryOf, type Json, type Loose } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { partsOf, textIn } from '../content.ts';
import { errorOf } from '../errors.ts';
import { Narrator } from '../narrator/narrator.ts';
import { timeOf } from '../time.ts';
import { Answer } from './answer.ts';
import { changeOf, failureOf, locationsOf, titleOf, traitsOf } from './tools.ts';
import { costOf, usageOf } from './usage.ts';
import type { PiCompaction, PiEntry, PiLine, PiMessage, PiPiece, PiResult, PiType } from './wire.ts';

interface Run {
  readonly narrator: Narrator;
  readonly answer: Answer;
  /** The tools that the system's messages have named. */
  readonly tools: Set<string>;
  /** The turn's prompt was seen: what the user says after it steers. */
  isPrompted: boolean;
}

export function createTranslator(): Translator {
  const narrator = new Narrator({ agent: 'pi' });
  const run: Run = { narrator, answer: new Answer(narrator), tools: new Set(), isPrompted: false };

  return {
    translate(message, out) {
      const line = asObject<PiLine>(message);
      const isHeader = line?.type === 'session';
      if (isHeader) out.sessionId = asText(line.id) ?? out.sessionId;
      out.time = line && lineTime(line);
      narrator.begin(out, isHeader ? { cwd: asText(line.cwd) } : {});
      const tell = entryOf(tellers, line?.type);
      if (line && tell) tell(run, line);
      else narrator.keepUnknown(message);
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}

/** An answer carries the time when it began, so at its end that is no longer the time. */
function lineTime({ type, timestamp, message }: Loose<PiLine>): number | undefined {
  if (type === 'session') return timeOf(timestamp);
  if (type !== 'message_start' && type !== 'message_end') return undefined;
  const { role, timestamp: time } = asObject<PiMessage>(message) ?? {};
  return type === 'message_end' && role === 'assistant' ? undefined : asNumber(time);
}

type Teller = (run: Run, line: Loose<PiLine>) => void;

const tellers: Readonly<Record<PiType, Teller>> = {
  session: nothing,
  agent_start: ({ narrator }) => narrator.startTurn(),
  agent_end(run, { willRetry }) {
    // Before there was an `agent_settled`, this was the end.
    if (willRetry === undefined) settle(run);
  },
  agent_settled: settle,
  turn_start: nothing,
  turn_end: nothing,

  message_start({ answer }, line) {
    const message = asObject<PiMessage>(line.message);
    if (message?.role === 'assistant') answer.start(message);
  },
  message_update({ narrator, answer }, line) {
    const piece = asObject<PiPiece>(line.assistantMessageEvent);
    if (!piece || !answer.add(piece)) narrator.keep(line);
  },
  message_end: tellMessage,

  tool_execution_start({ narrator }, { toolCallId, toolName, args }) {
    const name = asText(toolName) ?? 'unknown';
    narrator.startCall({ id: asText(toolCallId), name, traits: traitsOf(name), title: titleOf(args) });
    narrator.endInput(toolCallId, args ?? {}, { title: titleOf(args), locations: locationsOf(args) });
    narrator.updateCall(toolCallId, { status: 'in_progress' });
  },
  tool_execution_update({ narrator }, line) {
    const outputSnapshot = textIn(asObject<PiResult>(line.partialResult)?.content);
    if (!narrator.openCall(line.toolCallId)) narrator.keep(line);
    else if (outputSnapshot !== '') narrator.updateCall(line.toolCallId, { outputSnapshot });
  },
  tool_execution_end({ narrator }, line) {
    const { content, details } = asObject<PiResult>(line.result) ?? {};
    if (!tellResult(narrator, line.toolCallId, { content, details, isError: line.isError })) narrator.keep(line);
  },

  auto_retry_start({ narrator, answer }, line) {
    answer.retract();
    tellRetry(narrator, line);
  },
  auto_retry_end: ({ narrator }, { success }) => narrator.endRetry(success === true ? 'success' : 'error'),
  // The same for the model call that sums up the context. How it ended nobody says.
  summarization_retry_scheduled: ({ narrator }, line) => tellRetry(narrator, line),
  summarization_retry_attempt_start: nothing,
  summarization_retry_finished: ({ narrator }) => narrator.endRetry('unknown'),

  compaction_start: ({ narrator }, { reason }) => narrator.startCompaction(undefined, { trigger: triggerOf(reason) }),
  compaction_end: tellCompaction,

  session_info_changed: ({ narrator }, { name }) =>
    narrator.out.write({ type: 'session-update', title: asText(name) ?? '' }),
  entry_appended: tellEntry,
  thinking_level_changed: ({ narrator }, line) => narrator.keep(line),
  bash_execution_update: ({ narrator }, line) => narrator.keep(line),
  // What waits in the queue is told when its turn has come.
  queue_update: nothing,
};

function nothing(): void {}

const OUTCOMES: Readonly<Partial<Record<StopReason, Outcome>>> = {
  end_turn: 'success',
  max_tokens: 'success',
  tool_use: 'success',
  refusal: 'error',
  content_filter: 'error',
  error: 'error',
  cancelled: 'cancelled',
};

/** Nothing more will be done about the prompt; the last answer tells how it went. */
function settle(run: Run): void {
  const { narrator, answer } = run;
  if (!narrator.isTurnOpen) return;
  const { stopReason = 'unknown', error } = answer.ended ?? {};
  if (error) narrator.fail(error, true);
  narrator.endTurn({ outcome: OUTCOMES[stopReason] ?? 'unknown', stopReason, error });
  answer.ended = undefined;
  run.isPrompted = false;
}

function tellMessage(run: Run, line: Loose<PiLine>): void {
  const { narrator, answer } = run;
  const message = asObject<PiMessage>(line.message);
  switch (message?.role) {
    case 'assistant':
      return answer.end(message);
    case 'user': {
      const origin = run.isPrompted ? 'steering' : 'prompt';
      run.isPrompted = true;
      return narrator.out.write({ type: 'user-message', content: partsOf(message.content), origin });
    }
    // Extensions put these before the model.
    case 'custom':
      return narrator.out.write({ type: 'user-message', content: partsOf(message.content), origin: 'injected' });
    case 'toolResult':
      // The call has its result, unless nobody saw it being executed.
      tellResult(narrator, message.toolCallId, message);
      return;
    case 'system':
      return learnTools(run, message);
    default:
      narrator.keep(line);
  }
}

/** The rest of a system message is the prompt that pi gives to every model. */
function learnTools({ narrator, tools }: Run, message: Loose<PiMessage>): void {
  for (const tool of asList(message.toolsRemoved)) tools.delete(nameOf(tool) ?? '');
  for (const tool of asList(message.toolsAdded)) tools.add(nameOf(tool) ?? 'unknown');
  if (tools.size > 0) narrator.learn({ tools: [...tools] });
}

const nameOf = (tool: Json): string | undefined => asText(tool) ?? asText(asObject<{ name: string }>(tool)?.name);

/** False when the call is not open. */
function tellResult(
  narrator: Narrator,
  id: Json,
  result: Loose<Pick<PiMessage, 'content' | 'details' | 'isError'>>,
): boolean {
  const call = narrator.openCall(id);
  if (!call) return false;
  const { content, details, isError } = result;
  const hasFailed = isError === true;
  narrator.endCall(id, {
    outcome: hasFailed ? 'error' : isError === false ? 'success' : 'unknown',
    content: partsOf(content),
    output: Object.keys(asObject(details) ?? {}).length > 0 ? details : undefined,
    ...(hasFailed && failureOf(call.name, textIn(content))),
  });
  const change = isError === false ? changeOf(call.name, call.input, details) : undefined;
  if (change) narrator.out.write({ type: 'file-change', toolCallId: call.id, changes: [change], outcome: 'success' });
  return true;
}

function tellRetry(narrator: Narrator, { attempt, maxAttempts, delayMs, errorMessage }: Loose<PiLine>): void {
  const message = asText(errorMessage);
  narrator.startRetry({
    attempt: asCount(attempt) ?? 1,
    maxAttempts: asCount(maxAttempts),
    delayMs: asNumber(delayMs),
    error: message === undefined ? undefined : errorOf({ message, retryable: true }),
  });
}

function tellCompaction({ narrator }: Run, { reason, result, aborted, errorMessage }: Loose<PiLine>): void {
  const told = asObject<PiCompaction>(result);
  const failure = asText(errorMessage);
  narrator.endCompaction({
    outcome: aborted === true ? 'cancelled' : failure !== undefined ? 'error' : told ? 'success' : 'unknown',
    trigger: triggerOf(reason),
    tokensBefore: asCount(told?.tokensBefore),
    tokensAfter: asCount(told?.estimatedTokensAfter),
    summary: asText(told?.summary),
  });
  if (failure !== undefined) narrator.out.write({ type: 'notice', severity: 'warning', title: failure });
  tellSideCall(narrator, told?.usage);
}

/** A line of the session's file. An edit of the context follows every retry and changes nothing that was said. */
function tellEntry({ narrator }: Run, line: Loose<PiLine>): void {
  const entry = asObject<PiEntry>(line.entry);
  if (entry?.type === 'usage') tellSideCall(narrator, entry.usage, asText(entry.model));
  else if (entry?.type !== 'context_edit') narrator.keep(line);
}

/** A model call that is no answer. */
function tellSideCall(narrator: Narrator, told: Json, model?: string): void {
  const usage = usageOf(told);
  if (usage) narrator.out.write({ type: 'usage-update', scope: 'step', usage, cost: costOf(told), model });
}

type Trigger = EventOf<'compaction-start'>['trigger'];

function triggerOf(reason: Json): Trigger {
  if (reason === 'manual' || reason === 'overflow') return reason;
  return reason === 'threshold' ? 'auto' : undefined;
}
