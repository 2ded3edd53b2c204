// goose's messages → neutral events. An answer comes in chunks under one id and is one model call, a step to us; calls run after it.

import type { AgentError, Cost, Usage } from '../../event/event.ts';
import { asCount, asList, asNumber, asObject, asText, entryOf, type Loose } from '../../event/json.ts';
import { subtractUsage } from '../../event/usage.ts';
import type { Translator } from '../agent.ts';
import { partsOf } from '../content.ts';
import { Narrator } from '../narrator/narrator.ts';
import { askHost, endCall, startCall } from './calls.ts';
import { compactionSaid, errorSaid, providerError } from './sayings.ts';
import type { GooseAction, GooseLine, GooseMessage, GoosePart, GoosePartType } from './wire.ts';

interface Run {
  readonly narrator: Narrator;
  /** The answer whose chunks are coming. */
  answerId: string | undefined;
  /** Calls without a result, and requests without a decision. */
  readonly open: Set<string>;
  readonly asked: Set<string>;
  /** The model has said something, and nothing came after that it would have to answer. */
  isAnswered: boolean;
  /** Calls have had their results: the model was to go on. */
  hasResults: boolean;
  /** The prompt was a command to goose itself, and no model has spoken since. */
  isCommand: boolean;
  /** What stopped it. */
  failure: AgentError | undefined;
  /** The turn has ended with an error; `complete` may still come. */
  isOver: boolean;
  /** The session's total as it was told last. */
  counted: Usage;
}

export function createTranslator(): Translator {
  const narrator = new Narrator({ agent: 'goose' });
  const run: Run = {
    narrator,
    answerId: undefined,
    open: new Set(),
    asked: new Set(),
    isAnswered: false,
    hasResults: false,
    isCommand: false,
    failure: undefined,
    isOver: false,
    counted: {},
  };

  return {
    translate(value, out) {
      const line = asObject<GooseLine>(value);
      const message = line?.type === 'message' ? asObject<GooseMessage>(line.message) : undefined;
      const created = asCount(message?.created);
      if (created !== undefined) out.time = created * 1000;
      narrator.begin(out);
      switch (line?.type) {
        case 'message':
          return message ? tellMessage(run, message) : narrator.keep(value);
        case 'notification':
          return tellNotification(narrator, line);
        case 'error':
          run.failure = providerError(asText(line.error) ?? 'the stream broke');
          return endTurn(run);
        case 'complete':
          return tellComplete(run, line);
        default:
          narrator.keepUnknown(value);
      }
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}

// ── Messages ──────────────────────────────────────────────────────────────────────────────────────

function tellMessage(run: Run, message: Loose<GooseMessage>): void {
  for (const value of asList(message.content)) {
    const part = asObject<GoosePart>(value) ?? {};
    const tell = entryOf(tellers, part.type);
    if (tell) tell(run, part, message);
    else {
      const nativeType = asText(part.type);
      run.narrator.out.write({ type: 'raw', reason: 'unknown_block', value, nativeType });
    }
  }
}

type Teller = (run: Run, part: Loose<GoosePart>, message: Loose<GooseMessage>) => void;

const tellers: Readonly<Record<GoosePartType, Teller>> = {
  text: tellText,
  thinking(run, { thinking, signature }, message) {
    const { narrator } = run;
    beginAnswer(run, message);
    narrator.endBlock('text', undefined);
    narrator.addText('reasoning', asText(thinking) ?? '');
    // It comes with the last piece.
    if (signature) endReasoning(narrator, asText(signature));
  },
  redactedThinking(run, _part, message) {
    const { narrator } = run;
    beginAnswer(run, message);
    narrator.endBlock('text', undefined);
    endReasoning(narrator);
    narrator.startBlock('reasoning');
    narrator.endBlock('reasoning', undefined, { form: 'redacted' });
  },
  toolRequest: tellRequest,
  frontendToolRequest: tellRequest,
  toolResponse(run, part) {
    const { narrator, open, asked } = run;
    const id = asText(part.id) ?? '';
    endAnswer(run);
    run.isAnswered = false;
    run.hasResults = true;
    open.delete(id);
    if (!endCall(narrator, part, asked.delete(id))) narrator.keep(part);
  },
  systemNotification(run, { notificationType, msg }) {
    const { narrator } = run;
    const title = asText(msg) ?? '';
    const isUnpaid = notificationType === 'creditsExhausted';
    const error = isUnpaid ? { code: 'billing' as const, message: title } : errorSaid(title, true);
    const isCompaction = tellCompaction(narrator, title);
    if (error) tellFailure(run, error);
    else if (!isCompaction) narrator.out.write({ type: 'notice', severity: 'info', title });
  },
  conversationCompacted: ({ narrator }) => narrator.endCompaction({ outcome: 'success' }),
  actionRequired: tellAction,
  toolConfirmationRequest({ narrator, asked }, { id, toolName, arguments: input, prompt }) {
    const requestId = asText(id) ?? `request-${narrator.out.line}`;
    asked.add(requestId);
    askHost(narrator, requestId, toolName, input, prompt);
  },
  image: ({ narrator }, part) => narrator.keep(part),
  reasoning: ({ narrator }, part) => narrator.keep(part),
};

function tellText(run: Run, part: Loose<GoosePart>, message: Loose<GooseMessage>): void {
  const { narrator } = run;
  const text = asText(part.text) ?? '';
  if (message.role === 'user') {
    run.isCommand = text.startsWith('/');
    narrator.out.write({ type: 'user-message', content: partsOf(part), origin: 'injected' });
    return;
  }
  // Context that is for the model alone.
  if (asObject<GooseMessage['metadata']>(message.metadata)?.userVisible === false) return narrator.keep(part);
  const isGoose = asText(message.id) === undefined;
  const isFirst = isGoose || message.id !== run.answerId;
  const error = isFirst ? errorSaid(text, isGoose) : undefined;
  if (error) {
    tellCompaction(narrator, text);
    return tellFailure(run, error);
  }
  beginAnswer(run, message);
  run.isAnswered = true;
  endReasoning(narrator);
  narrator.addText('text', text);
}

function tellFailure(run: Run, error: AgentError): void {
  endAnswer(run);
  run.failure = error;
  run.narrator.startTurn();
  run.narrator.fail(error, true);
}

/** A chunk of an answer: of a new one, if its id is new. */
function beginAnswer(run: Run, message: Loose<GooseMessage>): void {
  const { narrator } = run;
  const id = asText(message.id);
  run.failure = undefined;
  if (id !== undefined) run.isCommand = false;
  // Not every compaction is said to be over.
  narrator.endCompaction({ outcome: 'success' }, true);
  if (narrator.isStepOpen && (id === undefined || id === run.answerId)) return;
  narrator.startStep({ id });
  narrator.startMessage();
  run.answerId = id;
  run.isAnswered = false;
}

function endAnswer(run: Run): void {
  const { narrator, open } = run;
  endReasoning(narrator);
  narrator.endStep({ stopReason: narrator.isStepOpen && open.size > 0 ? 'tool_use' : undefined });
  run.answerId = undefined;
}

function endReasoning(narrator: Narrator, signature?: string): void {
  const end = { form: 'unknown', signature } as const;
  narrator.endBlock('reasoning', undefined, end);
}

function tellRequest(run: Run, part: Loose<GoosePart>, message: Loose<GooseMessage>): void {
  const { narrator, open } = run;
  beginAnswer(run, message);
  endReasoning(narrator);
  narrator.endBlock('text', undefined);
  const id = asText(part.id) ?? `call-${narrator.out.line}-${open.size}`;
  startCall(narrator, part, id);
  open.add(id);
}

function tellAction({ narrator, asked }: Run, part: Loose<GoosePart>): void {
  const action = asObject<GooseAction>(part.data);
  const id = asText(action?.id) ?? `request-${narrator.out.line}`;
  switch (action?.actionType) {
    case 'toolConfirmation':
      asked.add(id);
      return askHost(narrator, id, action.toolName, action.arguments, action.prompt);
    case 'elicitation':
      return narrator.askQuestion(id, { message: asText(action.message) ?? '', schema: action.requested_schema });
    case 'elicitationResponse':
      narrator.resolveQuestion(id, { answer: action.user_data, outcome: 'success' });
      return;
    default:
      narrator.keep(part);
  }
}

/** False when the sentence is about something else. */
function tellCompaction(narrator: Narrator, text: string): boolean {
  const said = compactionSaid(text);
  if (said?.phase === 'start') narrator.startCompaction(undefined, { trigger: said.trigger });
  if (said?.phase === 'end') narrator.endCompaction({ outcome: said.outcome });
  return said !== undefined;
}

// ── Other lines ───────────────────────────────────────────────────────────────────────────────────

/** A word from a tool at work, or from an extension. */
function tellNotification(narrator: Narrator, line: Loose<GooseLine>): void {
  const log = asText(asObject<GooseLine['log']>(line.log)?.message);
  const progress = asObject<GooseLine['progress']>(line.progress);
  if (log !== undefined) {
    if (narrator.updateCall(line.extension_id, { outputDelta: `${log}\n` })) return;
    narrator.out.write({ type: 'notice', severity: 'info', title: log });
    return;
  }
  const title = asText(progress?.message);
  if (!narrator.updateCall(line.extension_id, { status: 'in_progress', title })) narrator.keep(line);
}

function tellComplete(run: Run, line: Loose<GooseLine>): void {
  const { narrator } = run;
  endAnswer(run);
  const usage = usageOf(line);
  const amount = asNumber(line.cost_usd);
  const cost = amount === undefined ? undefined : { amount, currency: 'USD' };
  // The total leaves out what sub-agents used: then it is the main thread's.
  const isPart = usage !== undefined && narrator.hasSubagents;
  if (usage && !isPart) narrator.out.write({ type: 'usage-update', scope: 'session', usage, cost });
  const figures = isPart ? { mainUsage: subtractUsage(usage, run.counted) ?? usage, cost } : {};
  run.counted = usage ?? run.counted;
  if (!run.isOver) endTurn(run, asCount(line.total_tokens) !== undefined, figures);
}

/**
 * goose says `complete` whatever happened. An answer without calls and a count of its tokens is a success; a call without its result, or
 * a result without an answer, was interrupted. A count without an answer: the model had nothing to say.
 */
function endTurn(run: Run, isCounted = false, figures: Figures = {}): void {
  const { narrator, open, isAnswered, hasResults, isCommand } = run;
  const isEmpty = isCounted && !isAnswered && !hasResults && !isCommand && open.size === 0;
  const failure = run.failure ?? (isEmpty ? NO_ANSWER : undefined);
  if (failure) {
    narrator.startTurn();
    narrator.fail(failure, true);
    narrator.endTurn({ outcome: 'error', stopReason: stopReasonOf(failure), error: failure, ...figures });
  } else if (isCommand || (isAnswered && isCounted && open.size === 0)) {
    narrator.endTurn({ outcome: 'success', stopReason: 'end_turn', ...figures });
  } else if (open.size > 0 || (!isAnswered && narrator.isTurnOpen)) {
    narrator.abort();
    narrator.endTurn({ outcome: 'cancelled', stopReason: 'cancelled', ...figures });
  } else narrator.endTurn({ outcome: 'unknown', ...figures });
  open.clear();
  run.hasResults = false;
  run.isCommand = false;
  run.isOver = failure !== undefined;
}

/** What a turn took, where the session's total does not tell. */
interface Figures {
  readonly mainUsage?: Usage;
  readonly cost?: Cost | undefined;
}

const NO_ANSWER: AgentError = { code: 'unknown', message: 'the model gave no answer' };

function stopReasonOf({ code }: AgentError): 'max_turn_requests' | 'context_full' | 'error' {
  if (code === 'max_turns') return 'max_turn_requests';
  return code === 'context_full' ? code : 'error';
}

function usageOf(line: Loose<GooseLine>): Usage | undefined {
  const inputTokens = asCount(line.input_tokens);
  const outputTokens = asCount(line.output_tokens);
  const totalTokens = asCount(line.total_tokens);
  const cacheReadTokens = asCount(line.cache_read_input_tokens);
  const cacheWriteTokens = asCount(line.cache_write_input_tokens);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(totalTokens !== undefined && { totalTokens }),
  };
}
