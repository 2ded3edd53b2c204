// What a stream of events has cost. Messages are counted once each; when a turn ends with the agent's own total, that
// total takes the place of all messages seen so far, so nothing is counted twice over blocks, turns or resumes. A total of the
// session takes the place of everything since the time it names.
// What was served after the last total is added as a lower bound and makes the whole one.

import type { AgentStreamEvent, Cost, EventOf, Usage } from '../event/event.ts';
import { addUsage, isUsed, subtractUsage, sumUsage } from '../event/usage.ts';
import { type Answered, entriesOfSpan, entryOfAnswer, type LedgerEntry, type Span } from './entries.ts';
import { addModel, type FigureState, type Figures, type ModelFigures, type ToolFigures, totalsOf } from './figures.ts';
import { costOf, type PriceTable } from './prices.ts';
import { answered, type ServedMessage, type Spending, soleModel, spendingOf } from './spending.ts';
import { createSubagentLedger, type SubagentFigures } from './subagents.ts';

export interface Ledger {
  add(event: AgentStreamEvent): void;
  /** Everything served in this process. */
  figures(): Figures;
  /** The main thread alone. */
  main(): Usage;
  models(): ReadonlyMap<string, ModelFigures>;
  subagents(): ReadonlyMap<string, SubagentFigures>;
  tools(): ReadonlyMap<string, ToolFigures>;
  /** The bill taken apart: one entry for each answer, and one for whatever only a total tells. They add up to `figures`. */
  entries(): readonly LedgerEntry[];
  /** The same figures as `session-end` tells them. */
  totals(): { readonly usage?: Usage; readonly cost?: Cost };
}

/** The totals, each with what was seen of it, and the answers that none covers. */
export interface Spans {
  readonly totals: readonly Span[];
  readonly open: readonly Answered[];
}

/** A ledger whose totals can be looked at one by one, for whoever folds several. */
export interface SpanLedger extends Ledger {
  /** Things as they are now, for whoever asks later: a run has many turns, and only the last one's are looked at. */
  snapshot(): () => Spans;
}

export interface LedgerOptions {
  readonly prices?: PriceTable | undefined;
  /** False: answers that a total covers are forgotten, so that memory does not grow with them; `entries` are then the totals. */
  readonly keepAnswers?: boolean | undefined;
}

/** The agent's own total, or the nearest thing to one, for a turn or for a session since some time. */
interface Settlement {
  readonly key: string;
  readonly time: number | undefined;
  /** The answers it covers. */
  readonly answers: readonly ServedMessage[];
  /** Only for a session: everything since then. */
  readonly since: number | undefined;
  /** Some turns end with less than a total. */
  readonly isWhole: boolean;
  readonly usage: Usage;
  readonly main: Usage;
  readonly models: readonly (readonly [string, ModelFigures])[];
  readonly costUsd: number;
  /** `none`: nothing was used, so there is nothing to tell. */
  readonly cost: 'told' | 'priced' | 'missing' | 'none';
}

export function createLedger(options: LedgerOptions = {}): Ledger {
  return createSpanLedger(options);
}

/** The same, for the fold of several streams. */
export function createSpanLedger(options: LedgerOptions = {}): SpanLedger {
  const keepAnswers = options.keepAnswers ?? true;
  const prices = options.prices ?? {};
  const subagents = createSubagentLedger(prices);
  const tools = new Map<string, { calls: number; failed: number; durationMs: number }>();
  /** Messages that no total covers yet, and those it covers that are still open. */
  const uncovered = new Map<string, ServedMessage>();
  const covered = new Map<string, ServedMessage>();
  let settlements: Settlement[] = [];
  /** The agent's time of the last thing that had one. */
  let latest: number | undefined;

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
    // What is still open is part of a total, but not of a sum of what was seen.
    const isCovered = (message: ServedMessage): boolean => message.usage !== undefined || event.usage !== undefined;
    settle(event, usage, uncovered, event.usage !== undefined, undefined, [...uncovered.values()].filter(isCovered));
    for (const [id, message] of uncovered) {
      if (!isCovered(message)) continue;
      if (message.usage === undefined) covered.set(id, message);
      uncovered.delete(id);
    }
  }

  /** The agent tells what everything since some time amounts to: that takes the place of what was counted since then. */
  function settleSession(event: EventOf<'usage-update'>): void {
    if (event.scope !== 'session' || !event.usage || event.estimated) return;
    const { since } = event;
    const isIn = (time: number | undefined): boolean => since === undefined || time === undefined || time >= since;
    const messages = new Map([...uncovered].filter(([, { time }]) => isIn(time)));
    const replaced = settlements.filter(
      (one) => since === undefined || (one.since !== undefined && one.since >= since),
    );
    const earlier = replaced.reduce((sum, { main }) => addUsage(sum, main), {});
    settlements = settlements.filter((one) => !replaced.includes(one));
    const answers = [...replaced.flatMap((one) => one.answers), ...messages.values()];
    settle(event, event.usage, messages, true, earlier, answers);
    for (const [id, message] of messages) {
      if (message.usage === undefined) covered.set(id, message);
      uncovered.delete(id);
    }
  }

  function settle(
    event: EventOf<'turn-end'> | EventOf<'usage-update'>,
    usage: Usage,
    messages: ReadonlyMap<string, ServedMessage>,
    isWhole: boolean,
    earlierMain: Usage | undefined,
    answers: readonly ServedMessage[],
  ): void {
    const own = event.cost && { cost: event.cost };
    const parts = event.models ?? (isUsed(usage) ? { [soleModel(messages) ?? 'unknown']: { ...usage, ...own } } : {});
    const models: [string, ModelFigures][] = [];
    let priced = 0;
    let unpriced = false;
    for (const [model, { cost: ownCost, ...part }] of Object.entries(parts)) {
      const costUsd = costOf({ model, usage: part, costUsd: ownCost?.amount }, prices);
      if (costUsd === undefined) unpriced ||= isUsed(part);
      else priced += costUsd;
      models.push([model, { usage: part, costUsd }]);
    }
    const told = event.type === 'turn-end' ? event.mainUsage : undefined;
    const main = told ?? mainOf(usage, spendingOf(messages, prices), earlierMain);
    settlements.push({
      key: keyOf(event),
      time: event.time ?? latest ?? event.at,
      answers: keepAnswers ? answers : [],
      since: event.type === 'usage-update' ? (event.since ?? Number.NEGATIVE_INFINITY) : undefined,
      isWhole,
      usage,
      main,
      models,
      costUsd: event.cost?.amount ?? priced,
      cost: event.cost ? (event.cost.estimated ? 'priced' : 'told') : costOfParts(usage, unpriced),
    });
    subagents.reconcile(
      () => ({
        usage: isWhole ? usage : undefined,
        mainUsage: told,
        mainSeen: spendingOf(messages, prices).main,
        isAhead: [...messages.values()].some((message) => !message.subagentId && !message.usage),
        hasModels: event.models !== undefined,
      }),
      parts,
    );
  }

  /** The same total has the same key wherever it is told: that of a session since when it counts, that of a turn when it ended. */
  function keyOf(event: EventOf<'turn-end'> | EventOf<'usage-update'>): string {
    if (event.type === 'usage-update' && event.since !== undefined) return String(event.since);
    const time = event.time ?? latest ?? event.at ?? 0;
    return `${event.sessionId ?? ''} ${event.type === 'turn-end' ? event.turnId : 'session'} ${time}`;
  }

  /** Where the agent does not tell the main thread apart: everything, unless a sub-agent was seen at work. */
  function mainOf(usage: Usage, seen: Spending, earlier: Usage | undefined): Usage {
    if (earlier) return addUsage(earlier, seen.main);
    return subtractUsage(seen.main, seen.usage) ? usage : seen.main;
  }

  /**
   * What a turn took whose agent tells its cost, or the main thread's part, but not the whole: each message once, and of the
   * main thread whichever tells more.
   */
  function seenInTurn({ synthetic, cost, mainUsage }: EventOf<'turn-end'>): Usage | undefined {
    if (synthetic || (!cost && !mainUsage)) return undefined;
    const seen = spendingOf(uncovered, prices);
    const isMore = (mainUsage?.inputTokens ?? 0) >= (seen.main.inputTokens ?? 0);
    const rest = subtractUsage(seen.usage, seen.main) ?? {};
    return addUsage(mainUsage && isMore ? mainUsage : seen.main, rest);
  }

  function figures(): Figures {
    const open = spendingOf(uncovered, prices);
    const openUsed = isUsed(open.usage);
    const usage = addUsage(sumUsage(settlements.map((one) => one.usage)), open.usage);
    // An answer that no total covers yet was not free, though nobody has told what it took.
    const isUntold = [...uncovered.values()].some((message) => message.usage === undefined);
    const isPart = openUsed || isUntold || settlements.some(({ isWhole }) => !isWhole);
    const state = settlements.length === 0 && !openUsed ? 'unknown' : isPart ? 'known' : 'reconciled';
    const settled = settlements.reduce((total, { costUsd }) => total + costUsd, 0);
    const isTold = settlements.some(({ cost }) => cost === 'told' || cost === 'priced') || open.priced;
    const costUsd = isTold && Number.isFinite(settled) ? settled + open.costUsd : undefined;
    return { usage, state, costUsd, costState: costState(costUsd, openUsed, open) };
  }

  function costState(costUsd: number | undefined, openUsed: boolean, open: Spending): FigureState {
    if (costUsd === undefined) return 'unknown';
    const isMissing = settlements.some(({ cost }) => cost === 'missing');
    if (isMissing || (openUsed && open.unpriced)) return 'known';
    const isPriced = settlements.some(({ cost }) => cost === 'priced');
    if (isPriced || open.estimated) return 'estimated';
    return openUsed ? 'known' : 'reconciled';
  }

  function snapshot(): () => Spans {
    const totals = [...settlements];
    // These may still grow; those that a total covers are bounded by it.
    const open = [...uncovered.values()].filter(({ usage }) => usage).map(answered);
    const hasCost = figures().costUsd !== undefined;
    return () => ({
      totals: totals.map(({ key, time, usage, models, costUsd, answers }) => ({
        key,
        time,
        usage,
        models,
        costUsd: hasCost ? costUsd : undefined,
        answers: answers.map(answered),
      })),
      open,
    });
  }

  function entries(): readonly LedgerEntry[] {
    const { totals, open } = snapshot()();
    return [
      ...totals.flatMap((span) => entriesOfSpan(span, prices)),
      ...open.flatMap((answer) => entryOfAnswer(answer, prices) ?? []),
    ];
  }

  return {
    add(event) {
      if (event.time !== undefined && event.time > (latest ?? 0)) latest = event.time;
      switch (event.type) {
        case 'message-start':
          uncovered.set(event.messageId, {
            id: event.messageId,
            model: event.model,
            subagentId: event.subagentId,
            time: event.time,
            blockTime: undefined,
            at: event.at,
            usage: undefined,
            costUsd: undefined,
          });
          break;
        case 'text-end':
        case 'reasoning-end': {
          const message = uncovered.get(event.messageId);
          if (message) message.blockTime ??= event.time;
          break;
        }
        case 'message-end':
          endMessage(event);
          break;
        case 'step-end': {
          const message = uncovered.get(event.stepId);
          if (message && event.cost) message.costUsd = event.cost.amount;
          break;
        }
        case 'turn-end':
          endTurn(event);
          break;
        case 'usage-update':
          settleSession(event);
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
    main: () => addUsage(sumUsage(settlements.map(({ main }) => main)), spendingOf(uncovered, prices).main),
    models() {
      const all = new Map<string, ModelFigures>();
      for (const { models } of settlements)
        for (const [model, { usage, costUsd }] of models) addModel(all, model, usage, costUsd);
      for (const message of uncovered.values()) {
        if (message.usage && isUsed(message.usage))
          addModel(all, message.model ?? 'unknown', message.usage, costOf(message, prices));
      }
      return all;
    },
    subagents: () => subagents.figures(),
    tools() {
      const spent = subagents.byTool();
      return new Map([...tools].map(([name, tool]) => [name, { ...tool, usage: spent.get(name) ?? {} }]));
    },
    entries,
    snapshot,
    totals: () => totalsOf(figures()),
  };
}

function costOfParts(usage: Usage, unpriced: boolean): Settlement['cost'] {
  if (unpriced) return 'missing';
  return isUsed(usage) ? 'priced' : 'none';
}
