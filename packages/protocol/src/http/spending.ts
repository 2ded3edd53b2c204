// What a session cost, answer by answer.

import type { FigureState } from '@tailrace/core';
import { z } from 'zod';

/** What one answer took, or a part of a total that no answer explains. */
export interface SpendingRow {
  readonly at: number | null;
  readonly model: string | null;
  readonly subagentId: string | null;
  /** Caches are part of the input. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
  /** `reconciled`: a share of what the agent told. `estimated`: by the table of prices. `unknown`: nobody can tell. */
  readonly costState: FigureState;
  /** No answer: what only a total of the agent's tells, like the call of a compaction. */
  readonly isRest: boolean;
}

/**
 * In the order of their times. The costs add up to the session's `costUsd`: where the agent tells a total, that is shared out over the
 * answers it covers, by what their tokens weigh, and what it tells beyond them is a row of its own (`isRest`); the rest is by the table of
 * prices. What a fork has of the session it was made from stays with that one.
 */
export interface Spending {
  readonly items: readonly SpendingRow[];
}

const tokens = z.number().nonnegative();

export const spending: z.ZodType<Spending> = z.object({
  items: z.array(
    z.object({
      at: z.number().nullable(),
      model: z.string().nullable(),
      subagentId: z.string().nullable(),
      inputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWriteTokens: tokens,
      outputTokens: tokens,
      costUsd: z.number().nullable(),
      costState: z.enum(['known', 'estimated', 'reconciled', 'unknown']),
      isRest: z.boolean(),
    }),
  ),
});
