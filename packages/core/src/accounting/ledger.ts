// What a stream of events has cost. Messages are counted once each; when a turn ends with the agent's own total, that
// total takes the place of all messages seen so far, so nothing is counted twice over blocks, turns or resumes.
// What was served after the last total is added as a lower bound and makes the whole one.

import type { AgentStreamEvent, Cost, EventOf, Usage } from '../event/event.ts';
import { type PriceTable, priceOf } from './prices.ts';
import { createSubagentLedger, type SubagentFigures } from './subagents.ts';
import { addUsage, isUsed, subtractUsage } from './usage.ts';

/** How sure a figure is: `known` is a lower bound, `reconciled` agrees with the agent's own total. */
export type FigureState = 'known' | 'estimated' | 'reconciled' | 'unknown';

export interface Figures {
  readonly usage: Usage;
  readonly state: FigureState;
  readonly costUsd: number | undefined;
  readonly costState: FigureState;
}

export interface ModelFigures {
  readonly usage: Usage;
  readonly costUsd: number | undefined;
}

/** What the calls of one tool amount to. */
export interface ToolFigures {
  readonly calls: number;
  readonly failed: number;
  readonly durationMs: number;
  /** What the sub-agents that its calls started have used. */
  readonly usage: Usage;
}

export interface Ledger {
  add(event: AgentStreamEvent): void;
  /** Everything served in this process. */
  figures(): Figures;
  /** The main thread alone. */
  main(): Usage;
  models(): ReadonlyMap<string, ModelFigures>;
  subagents(): ReadonlyMap<string, SubagentFigures>;
  tools(): ReadonlyMap<string, ToolFigures>;
  /** The same figures as `session-end` tells them. */
  totals(): { readonly usage?: Usage; readonly cost?: Cost };
}

interface ServedMessage {
  readonly model: string | undefined;
  readonly subagentId: string | undefined;
  usage: Usage | undefined;
}

export function createLedger(options: { readonly prices?: PriceTable | undefined } = {}): Ledger {
  const prices = options.prices ?? {};
  const subagents = createSubagentLedger(prices);
  const tools = new Map<string, { calls: number; failed: number; durationMs: number }>();
  /** Messages that no total covers yet, and those it covers that are still open. */
  const uncovered = new Map<string, ServedMessage>();
  const covered = new Map<string, ServedMessage>();
  const models = new Map<string, ModelFigures>();
  let total: Usage = {};
  let main: Usage = {};
  let spent = 0;
  let hasTotal = false;
  let hasPart = false; // some turn ended with less than a total
  let costTold = false; // the agent told a cost for every total so far
  let costMissing = false; // for some total there is neither a cost nor a price
  let costPriced = false;

  function endMessage(event: EventOf<'message-end'>): void {
    const message = uncovered.get(event.messageId) ?? covered.get(event.messageId);
    if (!message) return;
    if (event.usage) {
      if (message.subagentId) subagents.spend(message.subagentId, message.model, event.usage, message.usage);
      message.usage = event.usage;
    }
    covered.delete(event.messageId);
  }

  function endTurn(event: EventOf<'turn-end'>): void {
    const usage = event.usage ?? seenInTurn(event);
    if (!usage) return;
    if (event.usage) hasTotal = true;
    else hasPart = true;
    total = addUsage(total, usage);
    main = addUsage(main, event.mainUsage ?? mainPart(usage));
    addCost(event, usage);
    for (const [id, message] of uncovered) {
      // What is still open is part of a total, but not of a sum of what was seen.
      if (message.usage === undefined && !event.usage) continue;
      if (message.usage === undefined) covered.set(id, message);
      uncovered.delete(id);
    }
  }

  /** Where the agent does not tell the main thread apart: everything, unless a sub-agent was seen at work. */
  function mainPart(usage: Usage): Usage {
    const seen = openSpending();
    return subtractUsage(seen.main, seen.usage) ? usage : seen.main;
  }

  /**
   * What a turn took whose agent tells its cost, or the main thread's part, but not the whole: each message once, and of the
   * main thread whichever tells more.
   */
  function seenInTurn({ synthetic, cost, mainUsage }: EventOf<'turn-end'>): Usage | undefined {
    if (synthetic || (!cost && !mainUsage)) return undefined;
    const seen = openSpending();
    const isMore = (mainUsage?.inputTokens ?? 0) >= (seen.main.inputTokens ?? 0);
    const rest = subtractUsage(seen.usage, seen.main) ?? {};
    return addUsage(mainUsage && isMore ? mainUsage : seen.main, rest);
  }

  function addCost(event: EventOf<'turn-end'>, usage: Usage): void {
    const own = event.cost && { cost: event.cost };
    const parts = event.models ?? (isUsed(usage) ? { [soleModel() ?? 'unknown']: { ...usage, ...own } } : {});
    let priced = 0;
    let unpriced = false;
    for (const [model, { cost: ownCost, ...part }] of Object.entries(parts)) {
      const price = prices[model];
      const told = ownCost?.amount ?? (price && priceOf(part, price));
      if (told === undefined) unpriced ||= isUsed(part);
      else priced += told;
      addModel(model, part, told);
    }
    if (event.cost) {
      spent += event.cost.amount;
      if (event.cost.estimated) costPriced = true;
      else costTold = true;
    } else {
      spent += priced;
      if (unpriced) costMissing = true;
      else costPriced = true;
    }
    subagents.reconcile(event, parts);
  }

  /** The one model that this turn's messages name, where they name one. */
  function soleModel(): string | undefined {
    const names = new Set([...uncovered.values()].flatMap(({ model }) => model ?? []));
    const [name] = names;
    return names.size === 1 ? name : undefined;
  }

  function addModel(model: string, usage: Usage, costUsd: number | undefined): void {
    const before = models.get(model);
    models.set(model, {
      usage: addUsage(before?.usage ?? {}, usage),
      costUsd: costUsd === undefined ? before?.costUsd : (before?.costUsd ?? 0) + costUsd,
    });
  }

  function openSpending(): { usage: Usage; main: Usage; priced: number; unpriced: boolean } {
    let usage: Usage = {};
    let mainPart: Usage = {};
    let priced = 0;
    let unpriced = false;
    for (const message of uncovered.values()) {
      if (!message.usage || !isUsed(message.usage)) continue;
      usage = addUsage(usage, message.usage);
      if (!message.subagentId) mainPart = addUsage(mainPart, message.usage);
      const price = prices[message.model ?? ''];
      if (price) priced += priceOf(message.usage, price);
      else unpriced = true;
    }
    return { usage, main: mainPart, priced, unpriced };
  }

  function figures(): Figures {
    const open = openSpending();
    const openUsed = isUsed(open.usage);
    const usage = addUsage(total, open.usage);
    const state = openUsed || hasPart ? 'known' : hasTotal ? 'reconciled' : 'unknown';
    const isTold = costTold || costPriced || (openUsed && !open.unpriced);
    const costUsd = isTold && Number.isFinite(spent) ? spent + open.priced : undefined;
    return { usage, state, costUsd, costState: costState(costUsd, openUsed, open.unpriced) };
  }

  function costState(costUsd: number | undefined, openUsed: boolean, unpriced: boolean): FigureState {
    if (costUsd === undefined) return 'unknown';
    if (costMissing || (openUsed && unpriced)) return 'known';
    return costPriced || openUsed ? 'estimated' : 'reconciled';
  }

  return {
    add(event) {
      switch (event.type) {
        case 'message-start':
          uncovered.set(event.messageId, { model: event.model, subagentId: event.subagentId, usage: undefined });
          break;
        case 'message-end':
          endMessage(event);
          break;
        case 'turn-end':
          endTurn(event);
          break;
        case 'task-start':
          subagents.start(event);
          break;
        case 'compaction-start':
          subagents.blur();
          break;
        case 'tool-call-start':
          subagents.call(event);
          break;
        case 'tool-call-end': {
          const tool = tools.get(event.toolName) ?? { calls: 0, failed: 0, durationMs: 0 };
          tool.calls++;
          if (event.outcome !== 'success') tool.failed++;
          tool.durationMs += event.durationMs ?? 0;
          tools.set(event.toolName, tool);
          break;
        }
      }
    },
    figures,
    main: () => addUsage(main, openSpending().main),
    models() {
      const all = new Map(models);
      for (const message of uncovered.values()) {
        if (!message.usage || !isUsed(message.usage)) continue;
        const model = message.model ?? 'unknown';
        const price = prices[model];
        const before = all.get(model);
        const added = price && priceOf(message.usage, price);
        all.set(model, {
          usage: addUsage(before?.usage ?? {}, message.usage),
          costUsd: added === undefined ? before?.costUsd : (before?.costUsd ?? 0) + added,
        });
      }
      return all;
    },
    subagents: () => subagents.figures(),
    tools() {
      const spent = subagents.byTool();
      return new Map([...tools].map(([name, tool]) => [name, { ...tool, usage: spent.get(name) ?? {} }]));
    },
    totals() {
      const { usage, state, costUsd, costState } = figures();
      return {
        ...(state !== 'unknown' && { usage }),
        ...(costUsd !== undefined && {
          cost: { amount: costUsd, currency: 'USD', ...(costState === 'estimated' && { estimated: true }) },
        }),
      };
    },
  };
}
