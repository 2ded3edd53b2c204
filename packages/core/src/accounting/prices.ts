import type { Usage } from '../event/event.ts';
import { entryOf } from '../event/json.ts';

/** USD for a million tokens of each kind. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Writing to the cache that lasts five minutes. */
  readonly cacheWrite: number;
  /** Writing to the cache that lasts an hour. */
  readonly cacheWrite1h: number;
}

/** Prices by model name, handed in by the caller: the core carries none, since they age. */
export type PriceTable = Readonly<Record<string, Price>>;

/** What `usage` costs at `price`, in USD. Five-minute and one-hour cache writes are told apart. */
export function priceOf(usage: Usage, price: Price): number {
  const read = usage.cacheReadTokens ?? 0;
  const write = usage.cacheWriteTokens ?? 0;
  const hour = Math.min(usage.cacheWrite1hTokens ?? 0, write);
  const fresh = Math.max((usage.inputTokens ?? 0) - read - write, 0);
  const sum =
    fresh * price.input +
    read * price.cacheRead +
    (write - hour) * price.cacheWrite +
    hour * price.cacheWrite1h +
    (usage.outputTokens ?? 0) * price.output;
  return sum / 1_000_000;
}

/** Something that was used, by which model, and what it cost where somebody told that. */
interface Used {
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly costUsd: number | undefined;
}

/** What it cost: as it was told, else by the table; nothing where neither knows. */
export function costOf({ costUsd, usage, model }: Used, prices: PriceTable): number | undefined {
  if (costUsd !== undefined) return costUsd;
  const price = entryOf(prices, model);
  return price && usage && priceOf(usage, price);
}

/** How the kinds of token compare where no table tells: used to share a known total out, never to make one up. */
export const USUAL_WEIGHTS: Price = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25, cacheWrite1h: 2 };
