// What a model costs, learnt from the package by asking it: rates for each span of time and each length of a request. So its own
// rules hold (tiers, dates, rates that it derives from others), and a price is a few multiplications afterwards.

import type { UsageEntry } from '../contract.ts';

/** The counts that cost something. */
export type PricedCounts = Pick<
  UsageEntry,
  'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'cacheWrite1hTokens' | 'outputTokens'
>;

/** USD for one token of each kind: fresh input, cache reads, cache writes for five minutes and for an hour, output. */
type Rates = readonly [input: number, read: number, write: number, hour: number, output: number];

/** The spans of time from the oldest, each with its tiers from the lowest. Everything in it can be written as JSON. */
export interface PricePlan {
  readonly spans: readonly { readonly from: number; readonly tiers: readonly Tier[] }[];
}

interface Tier {
  /** It holds for requests whose input is longer than this. */
  readonly above: number;
  readonly rates: Rates;
}

export type PricePackage = Pick<typeof import('@pydantic/genai-prices'), 'calcPrice'>;

/** What a request cost by a plan. It is asked for every answer there is, so nothing is made on the way. */
export function costByPlan(plan: PricePlan, counts: PricedCounts, at: number | null): number {
  const { rates } = tierOf(plan, counts.inputTokens, at);
  const written = counts.cacheWriteTokens;
  const hour = Math.min(counts.cacheWrite1hTokens, written);
  return (
    Math.max(0, counts.inputTokens - counts.cacheReadTokens - written) * rates[0] +
    counts.cacheReadTokens * rates[1] +
    (written - hour) * rates[2] +
    hour * rates[3] +
    counts.outputTokens * rates[4]
  );
}

const FREE: Tier = { above: 0, rates: [0, 0, 0, 0, 0] };

function tierOf({ spans }: PricePlan, inputTokens: number, at: number | null): Tier {
  let index = spans.length - 1;
  while (index > 0 && at !== null && at < (spans[index]?.from ?? 0)) index--;
  const tiers = spans[index]?.tiers ?? [];
  let level = tiers.length - 1;
  while (level > 0 && inputTokens <= (tiers[level]?.above ?? 0)) level--;
  return tiers[level] ?? FREE;
}

/** What the package itself says. */
export function askPackage(
  { calcPrice }: PricePackage,
  model: string,
  counts: PricedCounts,
  at: number | null,
): number | undefined {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens } = counts;
  const usage = {
    input_tokens: Math.max(inputTokens, cacheReadTokens + cacheWriteTokens),
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
    cache_write_1h_tokens: Math.min(cacheWrite1hTokens, cacheWriteTokens),
    output_tokens: outputTokens,
  };
  try {
    return calcPrice(usage, plainName(model), at === null ? {} : { timestamp: new Date(at) })?.total_price;
  } catch {
    // It has no rate for one of these counts.
    return undefined;
  }
}

/** The plan of a model; `none` when it has no price, `ask` when its price cannot be told by tokens and dates alone. */
export function learnPlan(from: PricePackage, model: string): PricePlan | 'none' | 'ask' {
  const found = from.calcPrice({ input_tokens: 0, output_tokens: 0 }, plainName(model));
  if (!found) return 'none';
  const { prices } = found.model;
  const conditions = Array.isArray(prices) ? prices : [{ prices }];
  const begins = [Number.NEGATIVE_INFINITY];
  for (const { constraint, prices: own } of conditions) {
    if (constraint && constraint.type !== 'start_date') return 'ask';
    if (constraint) begins.push(Date.parse(constraint.start_date));
    if (Object.keys(own).some((key) => key.startsWith('requests'))) return 'ask';
  }
  const starts = conditions.flatMap(({ prices: own }) =>
    Object.values(own).flatMap((price) => (typeof price === 'object' ? price.tiers.map(({ start }) => start) : [])),
  );
  const tiers = [...new Set([0, ...starts])].sort((a, b) => a - b);
  const spans = begins
    .sort((a, b) => a - b)
    .map((begin) => ({
      // JSON has no infinity.
      from: Number.isFinite(begin) ? begin : 0,
      tiers: tiers.map((above) => ({ above, rates: ratesAt(from, model, above, Math.max(begin, 0)) })),
    }));
  return spans.some((span) => span.tiers.some(({ rates }) => rates.some(Number.isNaN))) ? 'ask' : { spans };
}

/** So many tokens beyond a tier's beginning are asked about. */
const PROBE = 1000;

function ratesAt(from: PricePackage, model: string, above: number, at: number): Rates {
  const long = above + PROBE;
  const none = { inputTokens: long, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens: 0 };
  const cost = (counts: Partial<PricedCounts>): number =>
    askPackage(from, model, { ...none, ...counts }, at) ?? Number.NaN;
  const input = cost({});
  return [
    input / long,
    cost({ cacheReadTokens: long }) / long,
    cost({ cacheWriteTokens: long }) / long,
    cost({ cacheWriteTokens: long, cacheWrite1hTokens: long }) / long,
    (cost({ outputTokens: PROBE }) - input) / PROBE,
  ];
}

/** A name without the mark that some agents put behind it: `name[1m]`. */
function plainName(model: string): string {
  const mark = model.indexOf('[');
  return mark > 0 ? model.slice(0, mark) : model;
}
