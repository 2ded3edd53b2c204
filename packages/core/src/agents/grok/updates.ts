// Grok's own format, `--output-format streaming-json` → neutral events. Nothing begins a model call but its first words; `usage` closes
// it, and the calls it made come after.

import type { AgentError, Outcome, StopReason, TodoEntry } from '../../event/event.ts';
import { asList, asObject, asText, asTexts, entryOf, type Json, type Loose } from '../../event/json.ts';
import type { Translator } from '../agent.ts';
import { errorOf } from '../errors.ts';
import type { SessionFacts } from '../narrator/fields.ts';
import { Narrator } from '../narrator/narrator.ts';
import { enter, startCall, updateCall } from './calls.ts';
import { readError } from './errors.ts';
import { costOf, modelsOf, usageOf } from './usage.ts';
import { createVoices, endAnswer, speak, type Voices } from './voices.ts';
import type { GrokLine, GrokType } from './wire.ts';

interface Run {
  readonly narrator: Narrator;
  readonly voices: Voices;
  /** The last call was refused, and the model has not spoken since. */
  refusal: AgentError | undefined;
  /** The list as it was told last, and whether the model has written it since. */
  todos: readonly TodoEntry[];
  isListWritten: boolean;
  /** It was stopped for having made too many model calls. */
  isAtMaxTurns: boolean;
}

export function createUpdatesTranslator(): Translator {
  const narrator = new Narrator({ agent: 'grok' });
  const run: Run = {
    narrator,
    voices: createVoices(),
    refusal: undefined,
    todos: [],
    isListWritten: false,
    isAtMaxTurns: false,
  };

  return {
    translate(message, out) {
      const line = asObject<GrokLine>(message);
      if (line?.type === 'end') out.sessionId = asText(line.sessionId) ?? out.sessionId;
      narrator.begin(out, factsOf(run, line));
      const tell = entryOf(tellers, line?.type);
      if (line && tell) tell(run, line);
      else narrator.keepUnknown(message);
    },
    end: (exit, out) => narrator.end(exit, out),
  };
}

/** A sub-agent may have other tools. */
function factsOf({ voices }: Run, line: Loose<GrokLine> | undefined): SessionFacts {
  if (line?.type !== 'available_commands' || voices.all.length > 1) return {};
  return { tools: asTexts(line.tools), commands: asTexts(line.commands) };
}

type Teller = (run: Run, line: Loose<GrokLine>) => void;

const tellers: Readonly<Record<GrokType, Teller>> = {
  // They are the session's facts.
  available_commands: nothing,
  text(run, { data }) {
    const { narrator } = run;
    beginAnswer(run);
    narrator.endBlock('reasoning', undefined);
    narrator.addText('text', asText(data) ?? '');
  },
  thought(run, { data }) {
    const { narrator } = run;
    beginAnswer(run);
    narrator.endBlock('text', undefined);
    narrator.addText('reasoning', asText(data) ?? '');
  },
  usage(run, { usage, stopReason, signature }) {
    const { narrator } = run;
    beginAnswer(run);
    endAnswer(run.voices);
    const end = { form: 'unknown', signature: asText(signature) || undefined } as const;
    narrator.endBlock('reasoning', undefined, end);
    narrator.endStep({ usage: usageOf(usage), stopReason: entryOf(STOP_WORDS, stopReason) });
  },
  tool_call(run, line) {
    if (line.toolName === 'todo_write') run.isListWritten = true;
    startCall(run.narrator, run.voices, line);
  },
  tool_call_update(run, line) {
    run.refusal = updateCall(run.narrator, run.voices, line) ?? run.refusal;
  },
  plan: tellPlan,
  max_turns_reached(run) {
    run.isAtMaxTurns = true;
  },
  end: tellEnd,
  error: tellError,

  auto_compact_started: ({ narrator }) => narrator.startCompaction(undefined, { trigger: 'auto' }),
  auto_compact_completed: ({ narrator }) => narrator.endCompaction({ outcome: 'success', trigger: 'auto' }),
  auto_compact_cancelled: ({ narrator }) => narrator.endCompaction({ outcome: 'cancelled', trigger: 'auto' }),
  auto_compact_failed({ narrator }, { error }) {
    narrator.endCompaction({ outcome: 'error', trigger: 'auto' });
    const title = asText(error);
    if (title) narrator.out.write({ type: 'notice', severity: 'warning', title });
  },
  auto_continue_completed: nothing,
  image_compressed: tellNotice,
  config_notice: tellNotice,
  memory_flush_started: nothing,
  memory_flush_completed: ({ narrator }, line) => narrator.keep(line),
  memory_capture_activity: nothing,
  response_discarded({ narrator }, line) {
    if (!narrator.isMessageOpen) return narrator.keep(line);
    const { id } = narrator.startMessage();
    narrator.endStep({});
    narrator.out.write({ type: 'message-retract', messageIds: [id], reason: 'discarded' });
  },
};

/** Whether the format has lines of this type. */
export function isUpdate(type: Json): boolean {
  return entryOf(tellers, type) !== undefined;
}

function nothing(): void {}

function beginAnswer(run: Run): void {
  const { narrator, voices } = run;
  run.refusal = undefined;
  enter(narrator, speak(voices));
  if (narrator.isStepOpen) return;
  narrator.startStep();
  narrator.startMessage();
}

function tellNotice({ narrator }: Run, { message }: Loose<GrokLine>): void {
  narrator.out.write({ type: 'notice', severity: 'info', title: asText(message) ?? '' });
}

/** The providers' words for why a model call stopped, and ACP's for why a turn did. */
const STOP_WORDS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  stop: 'end_turn',
  tool_use: 'tool_use',
  tool_calls: 'tool_use',
  max_tokens: 'max_tokens',
  length: 'max_tokens',
  stop_sequence: 'stop_sequence',
  refusal: 'refusal',
  content_filter: 'content_filter',
  max_turn_requests: 'max_turn_requests',
  cancelled: 'cancelled',
};

const OUTCOMES: Readonly<Partial<Record<StopReason, Outcome>>> = {
  end_turn: 'success',
  max_tokens: 'success',
  max_turn_requests: 'error',
  refusal: 'error',
  cancelled: 'cancelled',
};

const ERRORS: Readonly<Partial<Record<StopReason, AgentError>>> = {
  max_turn_requests: { code: 'max_turns', message: 'the maximum number of turns is reached' },
  refusal: { code: 'content_filter', message: 'the model refused to continue' },
};

function tellEnd(run: Run, line: Loose<GrokLine>): void {
  const { narrator } = run;
  if (narrator.isTurnOver) return narrator.keep(line);
  const word = entryOf(STOP_WORDS, line.stopReason) ?? 'unknown';
  const stopReason = run.isAtMaxTurns ? 'max_turn_requests' : word;
  const failure = asText(line.structuredOutputError);
  // Where nobody can be asked, a call that needs it ends the run.
  const known = stopReason === 'cancelled' ? run.refusal : ERRORS[stopReason];
  const error = failure === undefined ? known : errorOf({ message: failure, code: 'structured_output' });
  if (stopReason === 'cancelled' && !error) narrator.abort();
  if (error) {
    narrator.startTurn();
    narrator.fail(error, true);
  }
  narrator.endTurn({
    outcome: error ? 'error' : (OUTCOMES[stopReason] ?? 'unknown'),
    stopReason,
    error,
    structured: line.structuredOutput,
    ...spendingOf(line),
  });
  run.isAtMaxTurns = false;
}

/** It ends the turn, unless it is only about a line that could not be printed. */
function tellError({ narrator }: Run, line: Loose<GrokLine>): void {
  const error = readError(asText(line.message) ?? 'the run failed');
  const isFatal = !error.message.startsWith('serialize failed');
  if (isFatal) narrator.startTurn();
  narrator.fail(error, isFatal);
  if (isFatal) narrator.endTurn({ outcome: 'error', stopReason: 'error', error, ...spendingOf(line) });
}

/** The run's total; a count that is not whole is none. */
function spendingOf(line: Loose<GrokLine>): object {
  const usage = line.usage_is_incomplete === true ? undefined : usageOf(line.usage);
  return usage ? { usage, models: modelsOf(line.modelUsage), cost: costOf(line.total_cost_usd) } : {};
}

/** At the end Grok ticks off what was being done, whether it was done or not: only what the model says is told. */
function tellPlan(run: Run, line: Loose<GrokLine>): void {
  const { narrator, voices } = run;
  const entries = todosOf(line.entries);
  if (!run.isListWritten && isTickedOff(run.todos, entries)) return narrator.keep(line);
  run.todos = entries;
  run.isListWritten = false;
  enter(narrator, voices.current);
  narrator.out.write({ type: 'todo-update', entries });
}

function isTickedOff(before: readonly TodoEntry[], after: readonly TodoEntry[]): boolean {
  if (before.length === 0 || before.length !== after.length) return false;
  return after.every(({ content, status }, index) => {
    const old = before[index];
    if (old?.content !== content) return false;
    return old.status === status || (old.status === 'in_progress' && status === 'completed');
  });
}

function todosOf(entries: Json): readonly TodoEntry[] {
  return asList(entries).flatMap((value): TodoEntry[] => {
    const entry = asObject<GrokLine['entries'][number]>(value);
    const content = asText(entry?.content);
    if (content === undefined) return [];
    const { status: told, priority, _meta } = entry ?? {};
    // ACP has no word for it.
    const status = asObject<{ cancelled: boolean }>(_meta)?.cancelled === true ? 'cancelled' : told;
    return [
      {
        content,
        status: status === 'in_progress' || status === 'completed' || status === 'cancelled' ? status : 'pending',
        ...((priority === 'high' || priority === 'medium' || priority === 'low') && { priority }),
      },
    ];
  });
}
