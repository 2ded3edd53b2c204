// What tokens cost, for whatever the agent did not price itself: the table of @pydantic/genai-prices, which lies on the disk. It is
// large, so it is loaded only for a model that was not met before.

import {
  askPackage,
  costByPlan,
  learnPlan,
  type PricedCounts,
  type PricePackage,
  type PricePlan,
} from './price-plans.ts';
import { readPrivate, writePrivate } from './saved-file.ts';

/** The table's name and day. The package does not tell its day: it is that of the version's release. */
export const PRICE_TABLE = { source: '@pydantic/genai-prices 0.1.8', date: '2026-09-23' } as const;

export interface Prices {
  /** What one request cost in USD; nothing when the table does not know the model. Long requests may cost more for each token. */
  costOf(model: string | null, counts: PricedCounts, at: number | null): number | undefined;
}

type KnownPlan = PricePlan | 'none' | 'ask';

interface SavedPlans {
  readonly source: string;
  readonly plans: readonly (readonly [string, KnownPlan])[];
}

/** Prices of these models; what was learnt is kept in `file` for the next time. */
export async function loadPrices(models: Iterable<string>, file?: string): Promise<Prices> {
  const saved = file === undefined ? undefined : readPrivate(file);
  const plans = new Map(isSaved(saved) ? saved.plans : []);
  const needed = new Set(models);
  const unknown = [...needed].filter((model) => !plans.has(model));
  const isAsked = [...needed].some((model) => plans.get(model) === 'ask');
  let table: PricePackage | undefined;
  if (unknown.length > 0 || isAsked) {
    table = await import('@pydantic/genai-prices');
    for (const model of unknown) plans.set(model, learnPlan(table, model));
    if (file !== undefined && unknown.length > 0) {
      const kept: SavedPlans = { source: PRICE_TABLE.source, plans: [...plans] };
      writePrivate(file, kept);
    }
  }
  return {
    costOf(model, counts, at) {
      const plan = model === null ? undefined : plans.get(model);
      if (model === null || plan === undefined || plan === 'none') return undefined;
      if (plan === 'ask') return table && askPackage(table, model, counts, at);
      return costByPlan(plan, counts, at);
    },
  };
}

function isSaved(value: unknown): value is SavedPlans {
  // The file is our own; what is looked at is whether it is of this table.
  const saved = value as Partial<SavedPlans> | null | undefined;
  return saved?.source === PRICE_TABLE.source && Array.isArray(saved.plans);
}
