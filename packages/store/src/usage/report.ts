// The bill's entries → rows for people and programs: by day, week, month, session, project, model or five-hour block. Pure.

import type { FigureState } from '@tailrace/core';
import type { UsageEntry } from '../contract.ts';
import { type BurnRate, blocksOf, burnRate, isActive } from './blocks.ts';
import type { Prices } from './prices.ts';
import { addEntry, addSum, createSum, rowOf, type Sum, sumsOf } from './sum.ts';
import { daysInMonth, weekOf, type Zone } from './zone.ts';

/** What rows can be made by. */
export const GROUPINGS = ['day', 'week', 'month', 'session', 'project', 'model', 'block'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Counts of tokens and their cost. Caches are part of the input. */
export interface UsageSums {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly outputTokens: number;
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
  /** Only by session. */
  readonly project?: string | null;
  /** Only by block. */
  readonly endsAt?: number;
  readonly isActive?: boolean;
  readonly burnRate?: BurnRate;
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
}

/** The rows, in the order of their keys: times and sessions from the oldest, others from the dearest. */
export function reportUsage(entries: Iterable<UsageEntry>, options: ReportOptions): UsageReport {
  const { by, prices } = options;
  // Only blocks look at an entry twice.
  const isList = by === 'block' || !isAll(options);
  const list = isList ? [...entries].filter((entry) => isChosen(entry, options)) : [];
  const unpriced = new Set<string>();
  /** What has no place in any row. */
  const others = createSum();
  const month = createMonth(options);
  const groups = by === 'block' ? createBlocks(list) : createGroups(options);
  for (const entry of isList ? list : entries) {
    const costUsd = entry.costUsd ?? prices.costOf(entry.model, entry, entry.at);
    if (costUsd === undefined && entry.inputTokens + entry.outputTokens > 0) unpriced.add(entry.model ?? UNKNOWN);
    addEntry(groups.sumOf(entry) ?? others, entry, costUsd);
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

function isChosen(entry: UsageEntry, { zone, since, until, project, model }: ReportOptions): boolean {
  if (since !== undefined || until !== undefined) {
    if (entry.at === null) return false;
    const day = zone.dayOf(entry.at);
    if ((since !== undefined && day < since) || (until !== undefined && day > until)) return false;
  }
  if (project !== undefined && !(entry.project ?? '').includes(project)) return false;
  return model === undefined || (entry.model ?? '').includes(model);
}

// ── Rows ──────────────────────────────────────────────────────────────────────────────────────────

/** Where nobody told a time, a model, a project. */
const UNKNOWN = 'unknown';

interface Groups {
  /** The sum that an entry belongs to. */
  sumOf(entry: UsageEntry): Sum | undefined;
  sums(): readonly Sum[];
  rows(now: number): UsageRow[];
}

function createGroups({ by, zone }: ReportOptions): Groups {
  const groups = new Map<string, { readonly sum: Sum; readonly project: string | null }>();
  const keyOf = keyer(by, zone);
  return {
    sumOf(entry) {
      const key = keyOf(entry);
      let group = groups.get(key);
      if (!group) {
        group = { sum: createSum(), project: entry.project };
        groups.set(key, group);
      }
      return group.sum;
    },
    sums: () => Array.from(groups.values(), ({ sum }) => sum),
    rows() {
      const rows = Array.from(groups, ([key, { sum, project }]): UsageRow => {
        const row = rowOf(sum, key);
        return by === 'session' ? { ...row, project } : row;
      });
      return rows.sort((a, b) => compare(by, a, b) || (a.key < b.key ? -1 : 1));
    },
  };
}

function compare(by: Grouping, a: UsageRow, b: UsageRow): number {
  if (by === 'session') return (a.lastAt ?? 0) - (b.lastAt ?? 0);
  return by === 'project' || by === 'model' ? (b.costUsd ?? -1) - (a.costUsd ?? -1) : 0;
}

function keyer(by: Grouping, zone: Zone): (entry: UsageEntry) => string {
  switch (by) {
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
