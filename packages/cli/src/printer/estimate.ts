// What a stream has cost so far by the table of prices, while its agent has told nothing. The table is large: it is loaded beside the
// stream, for the models that were met, and whoever asks meanwhile is told nothing.

import type { Ledger, LedgerEntry } from '@tailrace/core';
import type { Prices } from '@tailrace/store';

/** The prices of some models. */
export type LoadPrices = (models: readonly string[]) => Promise<Prices>;

export interface Estimate {
  /** In USD; nothing while it is not known, or when a part of it has no price. */
  costUsd(ledger: Ledger): number | undefined;
}

export function createEstimate(load: LoadPrices): Estimate {
  let prices: Prices | undefined;
  const models = new Set<string>();
  /** It is asked many times a second, and adds up only what has changed. */
  let last = { tokens: -1, costUsd: undefined as number | undefined };

  function learn(entries: readonly LedgerEntry[]): void {
    const before = models.size;
    for (const { model } of entries) if (model !== undefined) models.add(model);
    if (models.size === before) return;
    load([...models]).then(
      (loaded) => {
        prices = loaded;
        last = { tokens: -1, costUsd: undefined };
      },
      // Without prices there is no figure, and nothing else is worse for it.
      () => {},
    );
  }

  return {
    costUsd(ledger) {
      const { usage } = ledger.figures();
      const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
      if (tokens === last.tokens) return last.costUsd;
      const entries = ledger.entries();
      learn(entries);
      last = { tokens, costUsd: prices && sumOf(entries, prices) };
      return last.costUsd;
    },
  };
}

/** What all of it has cost, once it is over. */
export async function estimateOf(ledger: Ledger, load: LoadPrices): Promise<number | undefined> {
  const entries = ledger.entries();
  const models = new Set(entries.flatMap(({ model }) => model ?? []));
  // Without prices there is no figure, and nothing else is worse for it.
  const prices = await load([...models]).catch(() => undefined);
  return prices && sumOf(entries, prices);
}

function sumOf(entries: readonly LedgerEntry[], prices: Prices): number | undefined {
  let sum = 0;
  for (const { model, usage, time, costUsd } of entries) {
    const counts = {
      inputTokens: usage.inputTokens ?? 0,
      cacheReadTokens: usage.cacheReadTokens ?? 0,
      cacheWriteTokens: usage.cacheWriteTokens ?? 0,
      cacheWrite1hTokens: usage.cacheWrite1hTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
    };
    const cost = costUsd ?? prices.costOf(model ?? null, counts, time ?? null);
    if (cost === undefined) return undefined;
    sum += cost;
  }
  return entries.length === 0 ? undefined : sum;
}
