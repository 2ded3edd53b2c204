// What was used and what it cost: the same figures as those of `tailrace usage --json`.

import type { FigureState } from '@tailrace/core';
import { z } from 'zod';
import { word } from './query.ts';

const GROUPINGS = [
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
export type UsageGrouping = (typeof GROUPINGS)[number];

export interface UsageQuery {
  readonly by?: UsageGrouping | undefined;
  /** Days, both included: `2026-11-15`. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The id of a folder. */
  readonly project?: string | undefined;
  /** A part of its name. */
  readonly model?: string | undefined;
  /** Whose days they are: a name of the IANA's. That of the server unless set. */
  readonly timezone?: string | undefined;
}

const day = z.iso.date();

export const usageQuery: z.ZodType<UsageQuery> = z.object({
  by: z.enum(GROUPINGS).optional(),
  since: day.optional(),
  until: day.optional(),
  project: word.optional(),
  model: word.optional(),
  timezone: word.optional(),
});

/** Counts of tokens and their cost. Caches are part of the input. */
export interface UsageFigures {
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly outputTokens: number;
  /** How much of the input came out of a cache, from 0 to 1. */
  readonly cacheShare: number | null;
  readonly costUsd: number | null;
  readonly costState: FigureState;
  readonly messages: number;
}

/** What one model has of a day, a week or a month. */
export interface UsageShare extends Pick<UsageFigures, 'inputTokens' | 'outputTokens' | 'costUsd' | 'costState'> {
  readonly model: string;
}

/** How fast a block is used up, and what it will have come to at its end. */
export interface UsageRate {
  readonly tokensPerMinute: number;
  readonly usdPerHour: number | null;
  readonly projectedTokens: number;
  readonly projectedUsd: number | null;
  readonly minutesLeft: number;
}

/** One day, session, model or whatever was asked for. */
export interface UsageLine extends UsageFigures {
  readonly key: string;
  readonly models: readonly string[];
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** Only by day, week and month. */
  readonly byModel?: readonly UsageShare[] | undefined;
  /** Only by tool: how often it was called. What an answer cost is shared out evenly over the calls that it made. */
  readonly calls?: number | undefined;
  /** Only by session: its folder. */
  readonly project?: string | null | undefined;
  /** Only by block. */
  readonly endsAt?: number | undefined;
  readonly isActive?: boolean | undefined;
  readonly burnRate?: UsageRate | undefined;
}

export interface UsageAnswer {
  readonly by: UsageGrouping;
  readonly totals: UsageFigures;
  readonly rows: readonly UsageLine[];
  readonly prices: { readonly source: string; readonly date: string };
  /** Models that have no price, though they were used. */
  readonly unpriced: readonly string[];
  /** What this month comes to if it goes on so; absent when nothing was used in it. */
  readonly month?:
    | {
        readonly key: string;
        readonly costUsd: number;
        readonly costState: FigureState;
        readonly projectedUsd: number;
      }
    | undefined;
  /** How many files and folders of the agents could not be read: what they tell is missing. */
  readonly unread: number;
}

const figureState = z.enum(['known', 'estimated', 'reconciled', 'unknown']);
const figures = {
  inputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  cacheWrite5mTokens: z.number(),
  cacheWrite1hTokens: z.number(),
  outputTokens: z.number(),
  cacheShare: z.number().nullable(),
  costUsd: z.number().nullable(),
  costState: figureState,
  messages: z.number(),
};

const share = z.object({
  model: z.string(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
  costState: figureState,
});
const rate = z.object({
  tokensPerMinute: z.number(),
  usdPerHour: z.number().nullable(),
  projectedTokens: z.number(),
  projectedUsd: z.number().nullable(),
  minutesLeft: z.number(),
});

export const usageAnswer: z.ZodType<UsageAnswer> = z.object({
  by: z.enum(GROUPINGS),
  totals: z.looseObject(figures),
  rows: z.array(
    z.looseObject({
      ...figures,
      key: z.string(),
      models: z.array(z.string()),
      firstAt: z.number().nullable(),
      lastAt: z.number().nullable(),
      byModel: z.array(share).optional(),
      calls: z.number().optional(),
      project: z.string().nullable().optional(),
      endsAt: z.number().optional(),
      isActive: z.boolean().optional(),
      burnRate: rate.optional(),
    }),
  ),
  prices: z.object({ source: z.string(), date: z.string() }),
  unpriced: z.array(z.string()),
  month: z
    .object({ key: z.string(), costUsd: z.number(), costState: figureState, projectedUsd: z.number() })
    .optional(),
  unread: z.number().int().nonnegative(),
});
