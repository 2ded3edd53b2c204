// Claude's two spellings of token counts → ours. Its input counts leave the caches out; ours include them.

import type { Cost, ModelUsage, Usage } from '../../../event/event.ts';
import type { Loose } from '../../../event/json.ts';
import { asCount, asNumber, asObject, type Json } from '../../../event/json.ts';
import type { ResultLine, TranscriptLine, WireModelUsage, WireUsage } from './wire.ts';

/** The API's counts, or nothing when there are none. */
export function usageOf(value: Json): Usage | undefined {
  const usage = asObject<WireUsage>(value);
  const input = asCount(usage?.input_tokens);
  const output = asCount(usage?.output_tokens);
  if (!usage || (input === undefined && output === undefined)) return undefined;
  const read = asCount(usage.cache_read_input_tokens) ?? 0;
  const split = asObject<{ ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number }>(
    usage.cache_creation,
  );
  const hour = asCount(split?.ephemeral_1h_input_tokens);
  const parts = (hour ?? 0) + (asCount(split?.ephemeral_5m_input_tokens) ?? 0);
  const write = asCount(usage.cache_creation_input_tokens) ?? parts;
  const thinking = asCount(asObject<{ thinking_tokens: number }>(usage.output_tokens_details)?.thinking_tokens);
  const inputTokens = (input ?? 0) + read + write;
  // Nearly every line has just these four; a spread for each optional one would be paid for by all.
  if (!hour && !thinking && output !== undefined) {
    return { inputTokens, cacheReadTokens: read, cacheWriteTokens: write, outputTokens: output };
  }
  return {
    inputTokens,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    ...(hour ? { cacheWrite1hTokens: hour } : {}),
    ...(output !== undefined && { outputTokens: output }),
    ...(thinking ? { reasoningTokens: thinking } : {}),
  };
}

/** Counts by model, as the CLI sums them up. */
export function modelsOf(value: Json): Record<string, ModelUsage> | undefined {
  const models = asObject(value);
  if (!models) return undefined;
  const found: [string, ModelUsage][] = [];
  for (const [model, counts] of Object.entries(models)) {
    const usage = asObject<WireModelUsage>(counts);
    if (usage) found.push([model, modelUsageOf(usage)]);
  }
  // From entries, not by assignment: a model could be called `__proto__`.
  return Object.fromEntries(found);
}

function modelUsageOf(usage: Loose<WireModelUsage>): ModelUsage {
  const read = asCount(usage.cacheReadInputTokens) ?? 0;
  const write = asCount(usage.cacheCreationInputTokens) ?? 0;
  const hour = asCount(usage.cacheCreationEphemeral1hInputTokens);
  const thinking = asCount(usage.thinkingTokens);
  const cost = asAmount(usage.costUSD);
  return {
    inputTokens: (asCount(usage.inputTokens) ?? 0) + read + write,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    ...(hour ? { cacheWrite1hTokens: hour } : {}),
    outputTokens: asCount(usage.outputTokens) ?? 0,
    ...(thinking ? { reasoningTokens: thinking } : {}),
    ...(cost !== undefined && { cost: usd(cost) }),
  };
}

/** Money that was spent. Nobody is paid for asking: a cost below zero is a mistake. */
export function asAmount(value: Json): number | undefined {
  const amount = asNumber(value);
  return amount !== undefined && amount >= 0 ? amount : undefined;
}

export function usd(amount: number): Cost {
  return { amount, currency: 'USD' };
}

/** The cost a result tells, under whichever of its three names. The first is a running total, the others are the turn's. */
export function costOf(result: Loose<ResultLine>): { readonly running?: number; readonly own?: number } {
  const running = asAmount(result.total_cost_usd);
  if (running !== undefined) return { running };
  const own = asAmount(result.cost_usd) ?? asAmount(result.costUSD);
  return own === undefined ? {} : { own };
}

/** The totals in a session file: everything since the session was begun, with its cost. */
export function costStateOf(
  line: Loose<TranscriptLine>,
): { readonly usage: Usage; readonly models: Record<string, ModelUsage>; readonly cost: Cost | undefined } | undefined {
  // Figures that are none must not take the place of good ones.
  if (!Object.values(asObject(line.modelUsage) ?? {}).every(isSound)) return undefined;
  const told = modelsOf(line.modelUsage);
  if (!told) return undefined;
  // It says of itself that something in it has no price, and tells nothing for it.
  const isPartly = line.hasUnknownModelCost === true;
  const models = isPartly ? withoutFree(told) : told;
  const amount = isPartly ? undefined : asAmount(line.totalCostUSD);
  return { usage: sumOf(Object.values(models)), models, cost: amount === undefined ? undefined : usd(amount) };
}

function withoutFree(models: Record<string, ModelUsage>): Record<string, ModelUsage> {
  return Object.fromEntries(
    Object.entries(models).map(([name, { cost, ...usage }]) => [
      name,
      cost && cost.amount > 0 ? { ...usage, cost } : usage,
    ]),
  );
}

function isSound(value: Json): boolean {
  const usage = asObject<WireModelUsage>(value);
  if (!usage) return false;
  const { inputTokens, outputTokens, cacheReadInputTokens: read, cacheCreationInputTokens: write } = usage;
  return [inputTokens, outputTokens, read, write].every((count) => count === undefined || asCount(count) !== undefined);
}

/** All models together. */
export function sumOf(models: readonly ModelUsage[]): Usage {
  const sum = (count: keyof Usage): number => models.reduce((total, usage) => total + (usage[count] ?? 0), 0);
  const hour = sum('cacheWrite1hTokens');
  const reasoning = sum('reasoningTokens');
  return {
    inputTokens: sum('inputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    ...(hour > 0 && { cacheWrite1hTokens: hour }),
    outputTokens: sum('outputTokens'),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  };
}
