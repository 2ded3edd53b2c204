// What pi tells of tokens and money, as neutral figures.

import type { Cost, Usage } from '../../event/event.ts';
import { asCount, asNumber, asObject, type Json } from '../../event/json.ts';
import type { PiUsage } from './wire.ts';

/** Nothing when nothing was counted: a call that failed has only zeros. */
export function usageOf(value: Json): Usage | undefined {
  const told = asObject<PiUsage>(value);
  const counts = [told?.input, told?.cacheRead, told?.cacheWrite, told?.output].map(asCount);
  if (!told || !counts.some((count) => count)) return undefined;
  const [input = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0] = counts;
  const cacheWrite1hTokens = asCount(told.cacheWrite1h);
  const reasoningTokens = asCount(told.reasoning);
  return {
    inputTokens: input + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(cacheWrite1hTokens && { cacheWrite1hTokens }),
    outputTokens,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

export function costOf(value: Json): Cost | undefined {
  const amount = asNumber(asObject<PiUsage['cost']>(asObject<PiUsage>(value)?.cost)?.total);
  return amount === undefined || amount < 0 ? undefined : { amount, currency: 'USD' };
}
