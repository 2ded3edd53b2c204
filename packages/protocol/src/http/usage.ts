// What was used and what it cost: the same figures as those of `tailrace usage --json`.

import type { FigureState } from '@tailrace/core';
import { z } from 'zod';
import { word } from './query.ts';

const GROUPINGS = ['day', 'week', 'month', 'session', 'project', 'model', 'block'] as const;
type UsageGrouping = (typeof GROUPINGS)[number];

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
  readonly outputTokens: number;
  readonly costUsd: number | null;
  readonly costState: FigureState;
  readonly messages: number;
}

/** One day, session, model or whatever was asked for. */
export interface UsageLine extends UsageFigures {
  readonly key: string;
  readonly models: readonly string[];
  readonly firstAt: number | null;
  readonly lastAt: number | null;
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
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
  costState: figureState,
  messages: z.number(),
};

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
    }),
  ),
  prices: z.object({ source: z.string(), date: z.string() }),
  unpriced: z.array(z.string()),
  month: z
    .object({ key: z.string(), costUsd: z.number(), costState: figureState, projectedUsd: z.number() })
    .optional(),
  unread: z.number().int().nonnegative(),
});
