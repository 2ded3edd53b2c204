// What a session has cost, all its streams together. Each run's stdout has a ledger of its own, and so have the files together;
// so nothing depends on who told something first. Where both know a stretch of time, the better one counts: a run's own totals,
// unless the files hold answers of that time which the totals leave out (the run was killed before it told them).

import { type Answered, entriesOfSpan, entryOfAnswer, type LedgerEntry, type Span } from '../accounting/entries.ts';
import { addModel, type FigureState, type Figures, type ModelFigures, totalsOf } from '../accounting/figures.ts';
import { createLedger, createSpanLedger, type Ledger, type SpanLedger, type Spans } from '../accounting/ledger.ts';
import { costOf, type PriceTable } from '../accounting/prices.ts';
import type { SubagentFigures } from '../accounting/subagents.ts';
import type { AgentStreamEvent, EventOf, ModelUsage, Usage } from '../event/event.ts';
import { isUsed, sumUsage } from '../event/usage.ts';
import { isAnchor } from './anchors.ts';
import type { SessionStream } from './stream.ts';

export interface Bill {
  add(stream: SessionStream, event: AgentStreamEvent): void;
  readonly ledger: Ledger;
  /** The whole as an event, so that whoever only sees events has the same figures. */
  update(): EventOf<'usage-update'> | undefined;
}

/** An answer of the model, as the streams tell it. */
interface Served {
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
interface Run {
  readonly ledger: SpanLedger;
  from: number;
  to: number;
  /** When it began, as far as the prompts tell. */
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

interface RunFigures {
  readonly figures: Figures;
  readonly main: Usage;
  readonly models: ReadonlyMap<string, ModelFigures>;
  readonly spans: () => Spans;
}

/** What a file says about everything between two times. */
interface Settled {
  readonly since: number;
  /** Until the file tells of something later, it is all there is. */
  to: number;
  readonly stream: string;
  /** The last time before it. */
  readonly at: number;
  readonly event: EventOf<'usage-update'>;
}

export function createBill(options: { readonly prices?: PriceTable | undefined }): Bill {
  const prices = options.prices ?? {};
  const runs = new Map<string, Run>();
  const answers = new Map<string, Served>();
  /** By file and the time since when they count: a later one of the same has all of the earlier one. */
  const settled = new Map<string, Settled>();
  const latest = new Map<string, number>();
  /** When a person said something to the main thread. */
  const prompts = new Set<number>();
  /** Everything else that a ledger counts, each once. */
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
  function closeSettled(stream: SessionStream, to: number): void {
    for (const file of settled.values()) {
      if (file.stream === stream.id && file.to === Number.POSITIVE_INFINITY) file.to = to;
    }
  }

  /** Which totals count, and which answers they leave over. */
  function settle(): {
    readonly runs: readonly Run[];
    readonly files: readonly Settled[];
    readonly rest: readonly Served[];
  } {
    const used = [...answers.values()].filter(({ usage }) => isUsed(usage));
    const told = [...runs.values()].filter(({ settled }) => settled);
    for (const run of told) run.begin = beginOf(run);
    const left = used.filter((answer) => !told.some((run) => isInRun(run, answer)));
    // A fork's file has the history of the one it was made from in its totals: of two that share answers the larger counts.
    const files: Settled[] = [];
    for (const file of [...settled.values()].sort((a, b) => sizeOf(b.event) - sizeOf(a.event))) {
      const isNeeded = left.some((answer) => isInFile(file, answer));
      const isInRuns = told.some((run) => run.from <= file.to && run.settledTo >= file.since);
      const isShared = files.some(
        (other) => other.since === file.since || used.some((one) => isInFile(other, one) && isInFile(file, one)),
      );
      if (isShared || (!isNeeded && isInRuns)) continue;
      files.push(file);
    }
    return {
      runs: told.filter((run) => !files.some(({ since, to }) => since <= run.from && to >= run.settledTo)),
      files,
      rest: left.filter((answer) => !files.some((file) => isInFile(file, answer))),
    };
  }

  /** A run begins with the prompt before the first thing that it shows: it may not show what came to nothing. */
  function beginOf(run: Run): number {
    let begin = Number.NEGATIVE_INFINITY;
    for (const time of prompts) if (time <= run.from) begin = Math.max(begin, time);
    return Number.isFinite(begin) ? begin : run.from;
  }

  /** Without files the one run's own ledger knows it all. */
  function only(): Ledger | undefined {
    const [run] = runs.values();
    const hasFiles = latest.size > runs.size || settled.size > 0;
    return runs.size === 1 && !hasFiles ? run?.ledger : undefined;
  }

  function figures(): Figures {
    const alone = only();
    if (alone) return alone.figures();
    const parts = settle();
    const own = parts.runs.flatMap((run) => run.settled?.figures ?? []);
    const filed = parts.files.map(({ event }) => event);
    const usage = sumUsage([
      ...own.map((figure) => figure.usage),
      ...filed.map((event) => event.usage ?? {}),
      ...parts.rest.map((answer) => answer.usage),
    ]);
    const costs = [
      ...own.map(({ costUsd }) => costUsd),
      ...filed.map(({ cost }) => cost?.amount),
      ...parts.rest.map((answer) => costOf(answer, prices)),
    ];
    const known = costs.filter((cost) => cost !== undefined);
    const costUsd = known.length > 0 ? known.reduce((total, cost) => total + cost, 0) : undefined;
    const isRest = parts.rest.length > 0;
    const isWhole = !isRest && own.every(({ state }) => state === 'reconciled');
    const hasAny = own.length + filed.length > 0;
    return {
      usage,
      state: isRest || !isWhole ? 'known' : hasAny ? 'reconciled' : 'unknown',
      costUsd,
      costState: costState(costUsd, known.length < costs.length, isRest, own),
    };
  }

  function costState(
    costUsd: number | undefined,
    isPart: boolean,
    isRest: boolean,
    own: readonly Figures[],
  ): FigureState {
    if (costUsd === undefined) return 'unknown';
    if (isPart) return 'known';
    return isRest || own.some((one) => one.costState !== 'reconciled') ? 'estimated' : 'reconciled';
  }

  function models(): ReadonlyMap<string, ModelFigures> {
    const alone = only();
    if (alone) return alone.models();
    const parts = settle();
    const all = new Map<string, ModelFigures>();
    for (const run of parts.runs)
      for (const [model, { usage, costUsd }] of run.settled?.models ?? []) addModel(all, model, usage, costUsd);
    for (const { event } of parts.files)
      for (const [model, { cost, ...usage }] of Object.entries(event.models ?? {}))
        addModel(all, model, usage, cost?.amount);
    for (const answer of parts.rest) addModel(all, answer.model ?? 'unknown', answer.usage, costOf(answer, prices));
    return all;
  }

  /** Each answer once, as the stream tells it that knows most of it; what totals tell beyond them is theirs. */
  function entries(): readonly LedgerEntry[] {
    const alone = only();
    if (alone) return alone.entries();
    const parts = settle();
    const hasCost = figures().costUsd !== undefined;
    const free = new Set([...answers.values()].filter(({ usage }) => isUsed(usage)));
    for (const answer of parts.rest) free.delete(answer);
    const spans = parts.runs.flatMap((run) => spansOf(run, free));
    for (const file of parts.files) {
      const own = [...free].filter((answer) => isInFile(file, answer));
      for (const answer of own) free.delete(answer);
      spans.push(spanOf(file, own.map(answered)));
    }
    return [
      ...spans.flatMap((span) => entriesOfSpan(hasCost ? span : { ...span, costUsd: undefined }, prices)),
      // What a run has counted though no total covers it, and what nobody has counted.
      ...[...parts.runs.flatMap((run) => run.settled?.spans().open ?? []), ...parts.rest.map(answered)].flatMap(
        (answer) => entryOfAnswer(answer, prices) ?? [],
      ),
    ];
  }

  /** A run's totals with its answers; those that it did not show are of the first total after them. */
  function spansOf(run: Run, free: Set<Served>): Span[] {
    const { totals, open } = run.settled?.spans() ?? { totals: [], open: [] };
    const shown = totals.map((span) => span.answers.map(better));
    for (const { id } of [...totals.flatMap((span) => span.answers), ...open]) {
      const answer = answers.get(id);
      if (answer) free.delete(answer);
    }
    for (const answer of [...free].filter((one) => isInRun(run, one))) {
      const index = totals.findIndex(({ time }) => (time ?? 0) >= answer.time);
      shown.at(index)?.push(answered(answer));
      free.delete(answer);
    }
    return totals.map((span, index) => ({ ...span, answers: shown[index] ?? [] }));
  }

  /** Stdout tells how an answer began; a file how it ended. */
  function better(answer: Answered): Answered {
    const known = answers.get(answer.id);
    return known ? { ...answered(known), costUsd: answer.costUsd ?? known.costUsd } : answer;
  }

  /** The main thread: a run's own word where its totals count, else its answers. */
  function main(): Usage {
    const alone = only();
    if (alone) return alone.main();
    const parts = settle();
    const rest = [...answers.values()].filter(
      (answer) => answer.subagentId === undefined && !parts.runs.some((run) => isInRun(run, answer)),
    );
    return sumUsage([...parts.runs.flatMap((run) => run.settled?.main ?? []), ...rest.map(({ usage }) => usage)]);
  }

  /** A file has every answer of a sub-agent with its final usage; a run may have singled it out by its totals. */
  function subagents(): ReadonlyMap<string, SubagentFigures> {
    const alone = only();
    if (alone) return alone.subagents();
    const all = new Map<string, SubagentFigures>(others.subagents());
    for (const { ledger } of runs.values())
      for (const [id, figure] of ledger.subagents())
        if ((all.get(id)?.state ?? 'unknown') === 'unknown' || isMore(figure, all.get(id))) all.set(id, figure);
    const own = new Map<string, Served[]>();
    for (const answer of answers.values()) {
      if (answer.subagentId === undefined) continue;
      const list = own.get(answer.subagentId);
      if (list) list.push(answer);
      else own.set(answer.subagentId, [answer]);
    }
    const isExact = isAllSeen();
    for (const [id, list] of own) {
      const before = all.get(id);
      const usage = sumUsage(list.map((answer) => answer.usage));
      if (before && !isMore({ usage }, before) && before.state === 'reconciled') continue;
      const costs = list.map((answer) => costOf(answer, prices));
      const priced = costs.every((cost) => cost !== undefined)
        ? costs.reduce((total, cost) => total + (cost ?? 0), 0)
        : undefined;
      all.set(id, {
        toolCallId: before?.toolCallId,
        usage,
        state: isExact ? 'reconciled' : 'known',
        costUsd: priced ?? before?.costUsd,
        costState: priced === undefined ? (before?.costState ?? 'unknown') : 'estimated',
      });
    }
    return all;
  }

  /** Whether the answers make the totals to the token: then nothing of anybody was missed. */
  function isAllSeen(): boolean {
    const { usage, state } = figures();
    const all = sumUsage([...answers.values()].map((answer) => answer.usage));
    return state === 'reconciled' && all.inputTokens === usage.inputTokens && all.outputTokens === usage.outputTokens;
  }

  const ledger: Ledger = {
    add: () => {},
    figures,
    main,
    models,
    entries,
    subagents,
    tools: () => others.tools(),
    totals: () => totalsOf(figures()),
  };

  return {
    add(stream, event) {
      const before = latest.get(stream.id) ?? 0;
      const time = isAnchor(event) ? (event.time ?? 0) : 0;
      latest.set(stream.id, Math.max(before, time));
      if (time > before) closeSettled(stream, before);
      if (event.type === 'user-message' && event.origin === 'prompt' && !event.subagentId && event.time !== undefined)
        prompts.add(event.time);
      addAnswer(stream, event);
      addOther(event);
      if (stream.source === 'stdout') addRun(stream, event);
      else if (event.type === 'usage-update' && event.scope === 'session' && event.usage) {
        const since = event.since ?? 0;
        const at = latest.get(stream.id) ?? 0;
        settled.set(`${stream.id} ${since}`, { since, to: Number.POSITIVE_INFINITY, stream: stream.id, at, event });
      }
    },
    ledger,
    update() {
      const { usage, state, costUsd } = figures();
      if (state === 'unknown') return undefined;
      const byModel: Record<string, ModelUsage> = Object.fromEntries(
        [...models()].map(([model, figure]) => [
          model,
          {
            ...figure.usage,
            ...(figure.costUsd !== undefined && { cost: { amount: figure.costUsd, currency: 'USD' } }),
          },
        ]),
      );
      return {
        type: 'usage-update',
        seq: 0,
        scope: 'session',
        usage,
        models: byModel,
        ...(costUsd !== undefined && { cost: { amount: costUsd, currency: 'USD' } }),
      };
    },
  };
}

function answered({ id, time, isTimed, at, model, subagentId, usage, costUsd }: Served): Answered {
  return { id, time: isTimed ? time : time || at, model, subagentId, usage, costUsd };
}

/** The totals of a file with the answers that they are made of. */
function spanOf({ since, at, event }: Settled, own: readonly Answered[]): Span {
  const models = Object.entries(event.models ?? {}).map(
    ([model, { cost, ...usage }]) => [model, { usage, costUsd: cost?.amount }] as const,
  );
  const time = event.time ?? (at > 0 ? at : event.at);
  return { key: String(since), time, usage: event.usage ?? {}, models, costUsd: event.cost?.amount, answers: own };
}

/** Whether a run's totals have this answer: it showed it before, or it was served in that time. */
function isInRun(run: Run, answer: Served): boolean {
  if (run.covered.has(answer)) return true;
  if (run.open.has(answer)) return false;
  if (answer.isTimed && answer.time >= run.begin && answer.time <= run.settledTo) return true;
  const isOver = run.settledTo === run.to && run.open.size === 0;
  return isOver && answer.subagentId !== undefined && run.tasks.has(answer.subagentId);
}

function isInFile({ since, to, stream }: Settled, { time, isTimed, files }: Served): boolean {
  // Stdout broke off before anything had a time: a file that ends with its totals has all there is.
  if (!isTimed && time === 0) return to === Number.POSITIVE_INFINITY;
  return time >= since && time <= to && (files.size === 0 || files.has(stream));
}

function sizeOf({ usage }: EventOf<'usage-update'>): number {
  return (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
}

function isMore(figure: { readonly usage: Usage }, than: { readonly usage: Usage } | undefined): boolean {
  const all = (usage: Usage | undefined): number => (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  return all(figure.usage) > all(than?.usage);
}
