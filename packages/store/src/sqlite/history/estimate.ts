// What a session cost, where the agent did not tell all of it: the rest by the table of prices, and marked as estimated. The entries
// of the bill stay as the agent told them.

import type { FigureState } from '@tailrace/core';
import type { BillEntry, SessionHead } from '../../project/rows.ts';
import { loadPrices, type Prices } from '../../usage/prices.ts';

/** Gives a session's head with its cost. */
export type Estimate = (head: SessionHead) => Promise<SessionHead>;

/** Asks the table once for each model. */
export function createEstimate(): Estimate {
  const known = new Map<string, Prices | undefined>();

  async function pricesOf(model: string): Promise<Prices | undefined> {
    if (!known.has(model)) {
      // Without the table there is no estimate; everything else is as good as ever.
      known.set(model, await loadPrices([{ model, costUsd: null }]).catch(() => undefined));
    }
    return known.get(model);
  }

  async function costOf({ model, usage, time }: BillEntry): Promise<number | undefined> {
    if (model === undefined) return undefined;
    const counts = {
      inputTokens: usage.inputTokens ?? 0,
      cacheReadTokens: usage.cacheReadTokens ?? 0,
      cacheWriteTokens: usage.cacheWriteTokens ?? 0,
      cacheWrite1hTokens: usage.cacheWrite1hTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
    };
    return (await pricesOf(model))?.costOf(model, counts, time ?? null);
  }

  return async (head) => {
    const { costState: told } = head.summary;
    // The agent's own word is better than any table.
    if (told === 'reconciled' || head.entries.every(({ costUsd }) => costUsd !== undefined)) return head;
    let total = 0;
    let isWhole = true;
    let isAny = false;
    for (const entry of head.entries) {
      const cost = entry.costUsd ?? (await costOf(entry));
      if (cost === undefined) isWhole = false;
      else isAny = true;
      total += cost ?? 0;
    }
    if (!isAny) return head;
    const costState: FigureState = isWhole ? 'estimated' : 'known';
    return { ...head, summary: { ...head.summary, costUsd: total, costState } };
  };
}
