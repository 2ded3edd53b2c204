// Who spent what: the part of each sub-agent. Its messages give a lower bound. Where it was the only one to work beside the
// main thread in a turn, its part is the difference between the agent's total and the main thread's, to the token.

import type { EventOf, ModelUsage, Usage } from '../event/event.ts';
import { entryOf } from '../event/json.ts';
import { addUsage, isUsed, subtractUsage, sumUsage } from '../event/usage.ts';
import type { FigureState, Figures } from './figures.ts';
import { type PriceTable, priceOf, USUAL_WEIGHTS } from './prices.ts';

export interface SubagentFigures extends Figures {
  readonly toolCallId: string | undefined;
}

export interface SubagentLedger {
  start(event: EventOf<'task-start'>): void;
  call(event: EventOf<'tool-call-start'>): void;
  /** A message of the sub-agent took `usage`; `before` is what was told of the same message earlier. */
  spend(taskId: string, model: string | undefined, usage: Usage, before: Usage | undefined): void;
  /** Something else was served in this turn that belongs to no thread. */
  blur(): void;
  /** The agent told its own figures; they are looked at only where a sub-agent worked. */
  reconcile(told: () => ToldFigures, models: Readonly<Record<string, ModelUsage>>): void;
  figures(): ReadonlyMap<string, SubagentFigures>;
  byTool(): ReadonlyMap<string, Usage>;
}

interface ToldFigures {
  /** Everything, where the agent tells that. */
  readonly usage: Usage | undefined;
  /** The main thread's part, where the agent tells it apart. */
  readonly mainUsage: Usage | undefined;
  /** What was seen of the main thread since the last figures. */
  readonly mainSeen: Usage;
  /** Whether the main thread is at an answer that its own part cannot have yet. */
  readonly isAhead: boolean;
  /** Whether the models are the agent's own list. */
  readonly hasModels: boolean;
}

interface Account {
  readonly toolCallId: string | undefined;
  usage: Usage;
  state: FigureState;
  costUsd: number | undefined;
  costState: FigureState;
}

export function createSubagentLedger(prices: PriceTable): SubagentLedger {
  const accounts = new Map<string, Account>();
  const toolNames = new Map<string, string>();
  /** What each has spent since the last total, by model. */
  let spans = new Map<string, Map<string, Usage>>();
  let isBlurred = false;
  /** Figures that the next ones complete. */
  let waiting: { readonly told: ToldFigures; readonly models: Readonly<Record<string, ModelUsage>> } | undefined;

  function account(taskId: string, toolCallId?: string): Account {
    let found = accounts.get(taskId);
    if (!found) {
      found = { toolCallId, usage: {}, state: 'unknown', costUsd: undefined, costState: 'unknown' };
      accounts.set(taskId, found);
    }
    return found;
  }

  /** The usage of the one sub-agent that worked in this turn, where the agent's figures single it out. */
  function singledOut(told: ToldFigures, models: Readonly<Record<string, ModelUsage>>): Usage | undefined {
    const [only] = spans.values();
    if (spans.size !== 1 || !only || isBlurred || !told.usage || !told.mainUsage) return undefined;
    const mainModel = told.hasModels ? Object.keys(models) : [];
    // A model that no sub-agent message named, beside the main one, did something of its own (a page summary, a title).
    if (mainModel.filter((model) => !only.has(model)).length > 1) return undefined;
    const rest = subtractUsage(told.usage, told.mainUsage);
    const seen = sumUsage([...only.values()]);
    return rest && subtractUsage(rest, seen) ? rest : undefined;
  }

  /** Whether what was seen of everybody makes the agent's total to the token: then nothing of anybody was missed. */
  function isAllSeen({ usage, mainUsage, mainSeen }: ToldFigures): boolean {
    const seen = [...spans.values()].flatMap((span) => [...span.values()]).reduce(addUsage, mainUsage ?? mainSeen);
    return usage !== undefined && seen.inputTokens === usage.inputTokens && seen.outputTokens === usage.outputTokens;
  }

  /** The share of the models' cost that falls on what was seen of a sub-agent, by weight of its tokens. */
  function shareOfCost(
    span: ReadonlyMap<string, Usage>,
    whole: Usage | undefined,
    models: Readonly<Record<string, ModelUsage>>,
  ): number | undefined {
    let sum: number | undefined;
    const names = Object.keys(models);
    const parts = span.size === 0 && whole && names.length === 1 ? [[names[0] ?? '', whole] as const] : span;
    for (const [model, seen] of parts) {
      const total = entryOf(models, model);
      if (!total?.cost) continue;
      const weights = entryOf(prices, model) ?? USUAL_WEIGHTS;
      const weight = priceOf(span.size <= 1 && whole ? whole : seen, weights);
      const all = priceOf(total, weights);
      if (all > 0) sum = (sum ?? 0) + total.cost.amount * Math.min(weight / all, 1);
    }
    return sum;
  }

  return {
    start(event) {
      if (event.kind !== 'agent') return;
      account(event.taskId, event.toolCallId);
      // It counts as working from here on, also when none of its messages are printed.
      if (!spans.has(event.taskId)) spans.set(event.taskId, new Map());
    },
    call(event) {
      if (event.tags?.includes('subagent')) toolNames.set(event.toolCallId, event.toolName);
    },
    spend(taskId, model = 'unknown', usage, before) {
      const found = account(taskId);
      const added = (before && subtractUsage(usage, before)) ?? usage;
      found.usage = addUsage(found.usage, added);
      found.state = 'known';
      const span = spans.get(taskId) ?? new Map<string, Usage>();
      span.set(model, addUsage(span.get(model) ?? {}, added));
      spans.set(taskId, span);
    },
    blur() {
      isBlurred = true;
    },
    reconcile(look, givenModels) {
      if (spans.size === 0 && !waiting) {
        isBlurred = false;
        return;
      }
      const given = look();
      const told = waiting ? addFigures(waiting.told, given) : given;
      const models = waiting ? addModels(waiting.models, givenModels) : givenModels;
      // A background agent makes the CLI begin a turn before it tells the last one's figures: what the main thread did in it is
      // then in the whole already, but not yet in its own part. The next figures have it.
      const isAhead =
        given.isAhead || (told.mainSeen.inputTokens ?? 0) > (told.mainUsage?.inputTokens ?? Number.POSITIVE_INFINITY);
      waiting = isAhead ? { told, models } : undefined;
      if (isAhead) return;
      const exact = singledOut(told, models);
      const allSeen = isAllSeen(told);
      for (const [taskId, span] of spans) {
        const found = account(taskId);
        const seen = sumUsage([...span.values()]);
        if (exact) {
          const missing = subtractUsage(exact, seen) ?? {};
          found.usage = addUsage(found.usage, missing);
          found.state = 'reconciled';
        } else if (allSeen && isUsed(seen)) found.state = 'reconciled';
        const cost = shareOfCost(span, exact, models);
        if (cost !== undefined) {
          found.costUsd = (found.costUsd ?? 0) + cost;
          found.costState = 'estimated';
        }
      }
      spans = new Map();
      isBlurred = false;
    },
    figures() {
      const all = new Map<string, SubagentFigures>();
      for (const [taskId, found] of accounts) {
        let { costUsd, costState } = found;
        for (const [model, usage] of spans.get(taskId) ?? []) {
          const price = entryOf(prices, model);
          if (!price || !isUsed(usage)) continue;
          costUsd = (costUsd ?? 0) + priceOf(usage, price);
          costState = 'estimated';
        }
        all.set(taskId, { ...found, costUsd, costState });
      }
      return all;
    },
    byTool() {
      const sums = new Map<string, Usage>();
      for (const { toolCallId, usage } of accounts.values()) {
        const name = toolCallId && toolNames.get(toolCallId);
        if (name) sums.set(name, addUsage(sums.get(name) ?? {}, usage));
      }
      return sums;
    },
  };
}

function addFigures(a: ToldFigures, b: ToldFigures): ToldFigures {
  return {
    usage: a.usage && b.usage && addUsage(a.usage, b.usage),
    mainUsage: a.mainUsage && b.mainUsage && addUsage(a.mainUsage, b.mainUsage),
    mainSeen: addUsage(a.mainSeen, b.mainSeen),
    isAhead: b.isAhead,
    hasModels: a.hasModels && b.hasModels,
  };
}

function addModels(
  a: Readonly<Record<string, ModelUsage>>,
  b: Readonly<Record<string, ModelUsage>>,
): Readonly<Record<string, ModelUsage>> {
  const sum = new Map(Object.entries(a));
  for (const [model, { cost, ...usage }] of Object.entries(b)) {
    const before = sum.get(model);
    const { cost: earlier, ...counts }: ModelUsage = before ?? {};
    // A cost is that of both only where both tell one.
    const amount = cost && (before ? earlier && earlier.amount + cost.amount : cost.amount);
    sum.set(model, { ...addUsage(counts, usage), ...(cost && amount !== undefined && { cost: { ...cost, amount } }) });
  }
  return Object.fromEntries(sum);
}
