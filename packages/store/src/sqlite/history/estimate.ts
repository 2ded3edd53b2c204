// What a session cost, where the agent did not tell all of it: the rest by the table of prices, and marked as estimated. The entries
// of the bill stay as the agent told them.

import type { FigureState } from '@tailrace/core';
import type { SessionHead } from '../../project/rows.ts';
import type { PricedCounts } from '../../usage/price-plans.ts';
import { loadPrices, type Prices } from '../../usage/prices.ts';
import { entryOf } from './usage.ts';

export interface Estimate {
  /** Gives a session's head with its cost. */
  ofSession(head: SessionHead): Promise<SessionHead>;
  /** What one request cost by the table; nothing when it does not know the model. */
  ofEntry(entry: Priced): Promise<number | undefined>;
}

type Priced = PricedCounts & { readonly model: string | null; readonly at: number | null };

/** Asks the table once for each model. */
export function createEstimate(): Estimate {
  const known = new Map<string, Prices | undefined>();

  async function pricesOf(model: string): Promise<Prices | undefined> {
    if (!known.has(model)) {
      // Without the table there is no estimate; everything else is as good as ever.
      known.set(model, await loadPrices([model]).catch(() => undefined));
    }
    return known.get(model);
  }

  async function ofEntry(entry: Priced): Promise<number | undefined> {
    const { model, at } = entry;
    return model === null ? undefined : (await pricesOf(model))?.costOf(model, entry, at);
  }

  async function ofSession(head: SessionHead): Promise<SessionHead> {
    const { costState: told } = head.summary;
    // The agent's own word is better than any table.
    if (told === 'reconciled' || head.entries.every(({ costUsd }) => costUsd !== undefined)) return head;
    let total = 0;
    let isWhole = true;
    let isAny = false;
    for (const entry of head.entries) {
      const cost = entry.costUsd ?? (await ofEntry(entryOf(entry, head)));
      if (cost === undefined) isWhole = false;
      else isAny = true;
      total += cost ?? 0;
    }
    if (!isAny) return head;
    const costState: FigureState = isWhole ? 'estimated' : 'known';
    return { ...head, summary: { ...head.summary, costUsd: total, costState } };
  }

  return { ofSession, ofEntry };
}
