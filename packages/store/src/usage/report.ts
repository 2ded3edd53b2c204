// The bill's entries → rows for people and programs: by day, week, month, session, project, model, five-hour block, agent, sub-agent
// or tool. Pure.

import type { FigureState } from '@tailrace/core';
import type { NamedBy, UsageEntry, UsageNames } from '../contract.ts';
import { type BurnRate, blocksOf, burnRate, isActive } from './blocks.ts';
import type { Prices } from './prices.ts';
import { addEntry, addSum, createSum, partOf, rowOf, type Sum, sumsOf } from './sum.ts';
import { dayAfter, daysInMonth, weekOf, type Zone } from './zone.ts';

/** What rows can be made by. */
export const GROUPINGS = [
  'day',
  'week',
  'month',
  'session',
  'project',
  'model',
  'block',
  'agent',
  'subagent',
  'tool',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Counts of tokens and their cost. Caches are part of the input. */
export interface UsageSums {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly outputTokens: number;
  /** How much of the input came out of a cache, from 0 to 1. */
  readonly cacheShare: number | null;
  readonly costUsd: number | null;
  /** `reconciled`: all of it as the agents told it; `estimated`: some by the table; `known`: some has no price, so it is more. */
  readonly costState: FigureState;
  readonly messages: number;
}

export interface UsageRow extends UsageSums {
  readonly key: string;
  readonly models: readonly string[];
  /** The first and the last entry, in epoch milliseconds. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** Only by day, week and month: the parts of it, in the order of their names. */
  readonly byModel?: readonly ModelShare[];
  /** Only by tool: how often it was called. */
  readonly calls?: number;
  /** Only by session. */
  readonly project?: string | null;
  /** Only by block. */
  readonly endsAt?: number;
  readonly isActive?: boolean;
  readonly burnRate?: BurnRate;
}

/** What one model has of a row. */
export interface ModelShare extends Pick<UsageSums, 'inputTokens' | 'outputTokens' | 'costUsd' | 'costState'> {
  readonly model: string;
}

export interface UsageReport {
  readonly by: Grouping;
  readonly totals: UsageSums;
  readonly rows: readonly UsageRow[];
  /** Models that have no price, though they were used. */
  readonly unpriced: readonly string[];
  /** What this month comes to if it goes on so; absent when nothing was used in it. */
  readonly month?: {
    readonly key: string;
    readonly costUsd: number;
    readonly costState: FigureState;
    readonly projectedUsd: number;
  };
}

export interface ReportOptions {
  readonly by: Grouping;
  readonly zone: Zone;
  readonly prices: Prices;
  readonly now: number;
  /** Days, both included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** A part of the name. */
  readonly project?: string | undefined;
  readonly model?: string | undefined;
  /** By agent, sub-agent and tool: what an entry goes under. */
  readonly names?: UsageNames | undefined;
}

/** Whether rows are made by something that the entries do not tell themselves. */
export function isNamed(by: Grouping): by is NamedBy {
  return by === 'agent' || by === 'subagent' || by === 'tool';
}

/** The rows, in the order of their keys: times and sessions from the oldest, others from the dearest. */
export function reportUsage(entries: Iterable<UsageEntry>, options: ReportOptions): UsageReport {
  const { by, prices } = options;
  // Only blocks look at an entry twice.
  const isList = by === 'block' || !isAll(options);
  const list = isList ? chosen(entries, options) : [];
  const unpriced = new Set<string>();
  /** What has no place in any row. */
  const others = createSum();
  const month = createMonth(options);
  const groups = by === 'block' ? createBlocks(list) : by === 'tool' ? createTools(options) : createGroups(options);
  for (const entry of isList ? list : entries) {
    const costUsd = entry.costUsd ?? prices.costOf(entry.model, entry, entry.at);
    if (costUsd === undefined && entry.inputTokens + entry.outputTokens > 0) unpriced.add(entry.model ?? UNKNOWN);
    if (!groups.share?.(entry, costUsd)) addEntry(groups.sumOf(entry) ?? others, entry, costUsd);
    month.add(entry, costUsd);
  }
  const totals = createSum();
  for (const sum of [others, ...groups.sums()]) addSum(totals, sum);
  const projected = month.project();
  return {
    by,
    totals: sumsOf(totals),
    rows: groups.rows(options.now),
    unpriced: [...unpriced].sort(),
    ...(projected && { month: projected }),
  };
}

function isAll({ since, until, project, model }: ReportOptions): boolean {
  return since === undefined && until === undefined && project === undefined && model === undefined;
}

function chosen(
  entries: Iterable<UsageEntry>,
  { zone, since, until, project, model }: ReportOptions,
): readonly UsageEntry[] {
  const isDated = since !== undefined || until !== undefined;
  const begin = since === undefined ? Number.NEGATIVE_INFINITY : zone.beginOf(since);
  const end = until === undefined ? Number.POSITIVE_INFINITY : zone.beginOf(dayAfter(until));
  const list: UsageEntry[] = [];
  for (const entry of entries) {
    if (isDated && (entry.at === null || entry.at < begin || entry.at >= end)) continue;
    if (project !== undefined && !(entry.project ?? '').includes(project)) continue;
    if (model === undefined || (entry.model ?? '').includes(model)) list.push(entry);
  }
  return list;
}

// ── Rows ──────────────────────────────────────────────────────────────────────────────────────────

/** Where nobody told a time, a model, a project. */
const UNKNOWN = 'unknown';

interface Groups {
  /** The sum that an entry belongs to. */
  sumOf(entry: UsageEntry): Sum | undefined;
  /** Adds an entry to several sums, a part to each; false where it is one's alone. */
  share?(entry: UsageEntry, costUsd: number | undefined): boolean;
  sums(): readonly Sum[];
  rows(now: number): UsageRow[];
}

function createGroups(options: ReportOptions): Groups {
  const { by } = options;
  const groups = new Map<string, Group>();
  const keyOf = keyer(options);
  const hasModels = by === 'day' || by === 'week' || by === 'month';
  // Entries of a session come one after the other: mostly the next one belongs to the same sum.
  let last: { readonly key: string; readonly model: string | null; readonly sum: Sum } | undefined;
  return {
    sumOf(entry) {
      const key = keyOf(entry);
      if (last?.key === key && (!hasModels || last.model === entry.model)) return last.sum;
      let group = groups.get(key);
      if (!group) {
        group = { sum: createSum(), project: entry.project, models: new Map() };
        groups.set(key, group);
      }
      const sum = hasModels ? sumIn(group.models, entry.model ?? UNKNOWN) : group.sum;
      last = { key, model: entry.model, sum };
      return sum;
    },
    sums: () => Array.from(groups.values(), sumOfGroup),
    rows() {
      const rows = Array.from(groups, ([key, group]): UsageRow => {
        const row = rowOf(sumOfGroup(group), key);
        if (by === 'session') return { ...row, project: group.project };
        if (by === 'subagent') return { ...row, costState: atMostEstimated(row.costState) };
        return hasModels ? { ...row, byModel: sharesOf(group.models) } : row;
      });
      return rows.sort((a, b) => compare(by, a, b) || (a.key < b.key ? -1 : 1));
    },
  };
}

interface Group {
  readonly sum: Sum;
  readonly project: string | null;
  /** Where each model is added up by itself, the sum has nothing. */
  readonly models: Map<string, Sum>;
}

function sumOfGroup({ sum, models }: Group): Sum {
  if (models.size === 0) return sum;
  const all = createSum();
  for (const one of models.values()) addSum(all, one);
  return all;
}

function sumIn(sums: Map<string, Sum>, name: string): Sum {
  let sum = sums.get(name);
  if (!sum) {
    sum = createSum();
    sums.set(name, sum);
  }
  return sum;
}

function sharesOf(models: ReadonlyMap<string, Sum>): readonly ModelShare[] {
  return Array.from(models, ([model, sum]): ModelShare => {
    const { inputTokens, outputTokens, costUsd, costState } = sumsOf(sum);
    return { model, inputTokens, outputTokens, costUsd, costState };
  }).sort((a, b) => (a.model < b.model ? -1 : 1));
}

/** Agents tell what a session cost, not what a part of it did. */
function atMostEstimated(state: FigureState): FigureState {
  return state === 'reconciled' ? 'estimated' : state;
}

/** An answer is shared out evenly over the calls that it made. */
function createTools({ names }: ReportOptions): Groups {
  const tools = new Map<string, Sum>();
  const calls = new Map<string, number>();
  return {
    sumOf: (entry) => sumIn(tools, names?.(entry)[0] ?? UNKNOWN),
    share(entry, costUsd) {
      const called = names?.(entry) ?? [];
      for (const name of called) calls.set(name, (calls.get(name) ?? 0) + 1);
      if (called.length < 2) return false;
      called.forEach((name, index) => {
        addEntry(sumIn(tools, name), partOf(entry, index, called.length), costUsd && costUsd / called.length);
      });
      return true;
    },
    sums: () => [...tools.values()],
    rows: () =>
      Array.from(tools, ([key, sum]): UsageRow => {
        const row = rowOf(sum, key);
        const count = key === 'none' || key === UNKNOWN ? 0 : (calls.get(key) ?? 0);
        return { ...row, costState: atMostEstimated(row.costState), calls: count };
      }).sort((a, b) => compare('tool', a, b) || (a.key < b.key ? -1 : 1)),
  };
}

function compare(by: Grouping, a: UsageRow, b: UsageRow): number {
  if (by === 'session') return (a.lastAt ?? 0) - (b.lastAt ?? 0);
  return by === 'project' || by === 'model' || isNamed(by) ? (b.costUsd ?? -1) - (a.costUsd ?? -1) : 0;
}

function keyer({ by, zone, names }: ReportOptions): (entry: UsageEntry) => string {
  switch (by) {
    case 'agent':
    case 'subagent':
      return (entry) => names?.(entry)[0] ?? UNKNOWN;
    case 'day':
      return ({ at }) => (at === null ? UNKNOWN : zone.dayOf(at));
    case 'week':
      return ({ at }) => (at === null ? UNKNOWN : weekOf(zone.dayOf(at)));
    case 'month':
      return ({ at }) => (at === null ? UNKNOWN : zone.dayOf(at).slice(0, 7));
    case 'project':
      return ({ project }) => project ?? UNKNOWN;
    case 'model':
      return ({ model }) => model ?? UNKNOWN;
    default:
      return ({ sessionId }) => sessionId;
  }
}

function createBlocks(entries: readonly UsageEntry[]): Groups {
  const blocks = blocksOf(entries).map((block) => ({ block, sum: createSum() }));
  const sums = new Map(blocks.flatMap(({ block, sum }) => block.entries.map((entry) => [entry, sum])));
  return {
    sumOf: (entry) => sums.get(entry),
    sums: () => blocks.map(({ sum }) => sum),
    rows: (now) =>
      blocks.map(({ block, sum }) => {
        const row = rowOf(sum, new Date(block.begin).toISOString());
        const isOpen = isActive(block, now);
        const rate = isOpen ? burnRate(block, row.inputTokens + row.outputTokens, row.costUsd, now) : undefined;
        return { ...row, endsAt: block.end, isActive: isOpen, ...(rate && { burnRate: rate }) };
      }),
  };
}

/** What was used of this month so far, and all of it at the same pace. */
function createMonth({ zone, now }: ReportOptions): {
  add(entry: UsageEntry, costUsd: number | undefined): void;
  project(): UsageReport['month'];
} {
  const today = zone.dayOf(now);
  const key = today.slice(0, 7);
  const begin = zone.beginOf(`${key}-01`);
  const sum = createSum();
  return {
    add(entry, costUsd) {
      if (entry.at !== null && entry.at >= begin && entry.at <= now) addEntry(sum, entry, costUsd);
    },
    project() {
      const { costUsd, costState, messages } = sumsOf(sum);
      if (costUsd === null || messages === 0) return undefined;
      const passed = Math.max(now - begin, HOUR_MS) / DAY_MS;
      return { key, costUsd, costState, projectedUsd: (costUsd / passed) * daysInMonth(today) };
    },
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
