// What the streams of a session tell about its bill, each for itself: answers, runs with their totals, totals of files. Which of
// it counts is settled later, so that nothing depends on who told something first.

import type { Figures, ModelFigures } from '../accounting/figures.ts';
import {
  createLedger,
  createSpanLedger,
  type Ledger,
  type LedgerOptions,
  type SpanLedger,
  type Spans,
} from '../accounting/ledger.ts';
import type { AgentStreamEvent, EventOf, Usage } from '../event/event.ts';
import { isAnchor } from './anchors.ts';
import type { SessionStream } from './stream.ts';

export interface Told {
  add(stream: SessionStream, event: AgentStreamEvent): void;
  /** By id, from whichever streams. */
  readonly answers: ReadonlyMap<string, Served>;
  /** By stream. */
  readonly runs: ReadonlyMap<string, Run>;
  /** By file and the time since when they count: a later one of the same has all of the earlier one. */
  readonly totals: ReadonlyMap<string, FileTotal>;
  /** When a person said something to the main thread. */
  readonly prompts: ReadonlySet<number>;
  /** Everything else that a ledger counts, each once. */
  readonly others: Ledger;
  /** Whether any of it is from a file. */
  hasFiles(): boolean;
}

/** An answer of the model, as the streams tell it. */
export interface Served {
  readonly id: string;
  time: number;
  /** When it arrived, where the host told. */
  readonly at: number | undefined;
  /** The time is its own, not that of the line before it. */
  isTimed: boolean;
  readonly model: string | undefined;
  readonly subagentId: string | undefined;
  /** The files that have it on the main thread. */
  readonly files: Set<string>;
  usage: Usage;
  costUsd: number | undefined;
}

/** One run's stdout. */
export interface Run {
  readonly ledger: SpanLedger;
  from: number;
  to: number;
  /** When it began, as far as the prompts tell; known when it is settled. */
  begin: number;
  /** As it was at its latest total, and the last time before that. */
  settled: RunFigures | undefined;
  settledTo: number;
  /** The answers it has shown that no total covers yet, and those that one covers. */
  readonly open: Set<Served>;
  readonly covered: Set<Served>;
  /** Its sub-agents: what they were served is in its totals, also what it does not print. */
  readonly tasks: Set<string>;
}

/** What its ledger said at some time. */
interface RunFigures {
  readonly figures: Figures;
  readonly main: Usage;
  readonly models: ReadonlyMap<string, ModelFigures>;
  readonly spans: () => Spans;
}

/** What a file says about everything between two times. */
export interface FileTotal {
  readonly since: number;
  /** Until the file tells of something later, it is all there is. */
  to: number;
  readonly stream: string;
  /** The last time before it. */
  readonly at: number;
  readonly event: EventOf<'usage-update'>;
}

export function createTold(options: LedgerOptions): Told {
  const runs = new Map<string, Run>();
  const answers = new Map<string, Served>();
  const totals = new Map<string, FileTotal>();
  /** The agent's time of the last thing in each stream. */
  const latest = new Map<string, number>();
  const prompts = new Set<number>();
  const others = createLedger(options);
  const seen = new Set<string>();

  function addAnswer(stream: SessionStream, event: AgentStreamEvent): void {
    const time = latest.get(stream.id) ?? 0;
    if (event.type === 'message-start') {
      const { model, subagentId } = event;
      const isTimed = event.time !== undefined;
      const answer = answers.get(event.messageId) ?? {
        id: event.messageId,
        at: event.at,
        time: event.time ?? time,
        isTimed,
        model,
        subagentId,
        files: new Set<string>(),
        usage: {},
        costUsd: undefined,
      };
      setTime(answer, event.time);
      if (stream.source === 'transcript' && subagentId === undefined) answer.files.add(stream.id);
      answers.set(event.messageId, answer);
    } else if (event.type === 'text-end' || event.type === 'reasoning-end') {
      setTime(answers.get(event.messageId), event.time);
    } else if (event.type === 'message-end') {
      const answer = answers.get(event.messageId);
      if (!answer) return;
      if ((event.usage?.outputTokens ?? -1) > (answer.usage.outputTokens ?? -1)) answer.usage = event.usage ?? {};
    } else if (event.type === 'step-end' && event.cost) {
      const answer = answers.get(event.stepId);
      if (answer) answer.costUsd = event.cost.amount;
    }
  }

  /** A streamed answer has its time from its first whole block. */
  function setTime(answer: Served | undefined, time: number | undefined): void {
    if (!answer || answer.isTimed || time === undefined) return;
    answer.time = time;
    answer.isTimed = true;
  }

  function addRun(stream: SessionStream, event: AgentStreamEvent): void {
    let run = runs.get(stream.id);
    if (!run) {
      run = {
        ledger: createSpanLedger(options),
        from: Number.POSITIVE_INFINITY,
        to: -1,
        begin: Number.POSITIVE_INFINITY,
        settled: undefined,
        settledTo: -1,
        open: new Set(),
        covered: new Set(),
        tasks: new Set(),
      };
      runs.set(stream.id, run);
    }
    if (event.time !== undefined && isAnchor(event)) {
      run.from = Math.min(run.from, event.time);
      run.to = Math.max(run.to, event.time);
    }
    run.ledger.add(event);
    if (event.type === 'task-start') run.tasks.add(event.taskId);
    const answer = event.type === 'message-start' ? answers.get(event.messageId) : undefined;
    if (answer) run.open.add(answer);
    if (event.type !== 'turn-end' || event.synthetic) return;
    // A total that tells nothing covers nothing.
    if (!event.usage && !event.cost) return;
    const { ledger } = run;
    run.settled = { figures: ledger.figures(), main: ledger.main(), models: ledger.models(), spans: ledger.snapshot() };
    run.settledTo = run.to;
    for (const one of run.open) run.covered.add(one);
    run.open.clear();
  }

  /** The same figures from whoever tells first; a ledger counts each of these once. */
  function addOther(event: AgentStreamEvent): void {
    if (event.type === 'tool-call-start' || event.type === 'task-start' || event.type === 'tool-call-end') {
      const key = `${event.type} ${event.type === 'task-start' ? event.taskId : event.toolCallId}`;
      if (event.synthetic && event.type === 'tool-call-end') return;
      if (seen.has(key)) return;
      seen.add(key);
      others.add(event);
    }
  }

  /** The file goes on after it told its totals: they are of what came before. */
  function closeTotals(stream: SessionStream, to: number): void {
    for (const total of totals.values()) {
      if (total.stream === stream.id && total.to === Number.POSITIVE_INFINITY) total.to = to;
    }
  }

  return {
    add(stream, event) {
      const before = latest.get(stream.id) ?? 0;
      const time = isAnchor(event) ? (event.time ?? 0) : 0;
      latest.set(stream.id, Math.max(before, time));
      if (time > before) closeTotals(stream, before);
      if (event.type === 'user-message' && isPrompt(event) && !event.subagentId && event.time !== undefined)
        prompts.add(event.time);
      addAnswer(stream, event);
      addOther(event);
      if (stream.source === 'stdout') addRun(stream, event);
      else if (event.type === 'usage-update' && event.scope === 'session' && event.usage) {
        const since = event.since ?? 0;
        const at = latest.get(stream.id) ?? 0;
        totals.set(`${stream.id} ${since}`, { since, to: Number.POSITIVE_INFINITY, stream: stream.id, at, event });
      }
    },
    answers,
    runs,
    totals,
    prompts,
    others,
    hasFiles: () => latest.size > runs.size || totals.size > 0,
  };
}

/** Also its echo: the file that has the prompt itself may not be there. */
function isPrompt({ origin }: EventOf<'user-message'>): boolean {
  return origin === 'prompt' || origin === 'replay';
}
