// What a session has cost, all its streams together. Each run's stdout has a ledger of its own, and so have the files together;
// so nothing depends on who told something first. What counts of what they tell is settled each time somebody asks.

import type { LedgerEntry } from '../accounting/entries.ts';
import { addModel, type FigureState, type Figures, type ModelFigures, totalsOf } from '../accounting/figures.ts';
import type { Ledger } from '../accounting/ledger.ts';
import { costOf, type PriceTable } from '../accounting/prices.ts';
import type { SubagentFigures } from '../accounting/subagents.ts';
import type { AgentStreamEvent, EventOf, ModelUsage, Usage } from '../event/event.ts';
import { sumUsage, tokensOf } from '../event/usage.ts';
import { isInRun, settle } from './settle.ts';
import { entriesOf } from './settled-entries.ts';
import type { SessionStream } from './stream.ts';
import { createTold, type Served } from './told.ts';

export interface Bill {
  add(stream: SessionStream, event: AgentStreamEvent): void;
  readonly ledger: Ledger;
  /** The whole as an event, so that whoever only sees events has the same figures. */
  update(): EventOf<'usage-update'> | undefined;
}

export function createBill(options: { readonly prices?: PriceTable | undefined }): Bill {
  const prices = options.prices ?? {};
  const told = createTold(options);
  const { answers, runs, others } = told;

  /** Without files the one run's own ledger knows it all. */
  function only(): Ledger | undefined {
    const [run] = runs.values();
    return runs.size === 1 && !told.hasFiles() ? run?.ledger : undefined;
  }

  function figures(): Figures {
    const alone = only();
    if (alone) return alone.figures();
    const parts = settle(told);
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
    const parts = settle(told);
    const all = new Map<string, ModelFigures>();
    for (const run of parts.runs)
      for (const [model, { usage, costUsd }] of run.settled?.models ?? []) addModel(all, model, usage, costUsd);
    for (const { event } of parts.files)
      for (const [model, { cost, ...usage }] of Object.entries(event.models ?? {}))
        addModel(all, model, usage, cost?.amount);
    for (const answer of parts.rest) addModel(all, answer.model ?? 'unknown', answer.usage, costOf(answer, prices));
    return all;
  }

  function entries(): readonly LedgerEntry[] {
    const alone = only();
    if (alone) return alone.entries();
    return entriesOf(settle(told), answers, figures().costUsd !== undefined, prices);
  }

  /** The main thread: a run's own word where its totals count, else its answers. */
  function main(): Usage {
    const alone = only();
    if (alone) return alone.main();
    const parts = settle(told);
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
    add: told.add,
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

function isMore(figure: { readonly usage: Usage }, than: { readonly usage: Usage } | undefined): boolean {
  return tokensOf(figure.usage) > tokensOf(than?.usage);
}
