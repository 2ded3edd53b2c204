// What Grok tells of tokens and money, as neutral figures.

import type { Cost, ModelUsage, Usage } from '../../event/event.ts';
import { asCount, asNumber, asObject, type Json } from '../../event/json.ts';
import type { GrokModelUsage, GrokUsage } from './wire.ts';

/** Nothing when nothing was counted. */
export function usageOf(value: Json): Usage | undefined {
  const told = asObject<GrokUsage>(value);
  if (!told) return undefined;
  const reasoningTokens = asCount(told.reasoning_tokens);
  const usage = inclusive(
    told.input_tokens,
    told.cache_read_input_tokens,
    told.cache_creation_input_tokens,
    told.output_tokens,
  );
  return usage && { ...usage, ...(reasoningTokens !== undefined && { reasoningTokens }) };
}

export function modelsOf(value: Json): Readonly<Record<string, ModelUsage>> | undefined {
  const told = asObject(value);
  if (!told) return undefined;
  const models = Object.entries(told).flatMap(([model, counts]): [string, ModelUsage][] => {
    const one = asObject<GrokModelUsage>(counts);
    const usage = inclusive(
      one?.inputTokens,
      one?.cacheReadInputTokens,
      one?.cacheCreationInputTokens,
      one?.outputTokens,
    );
    const cost = costOf(one?.costUSD);
    return usage ? [[model, { ...usage, ...(cost && { cost }) }]] : [];
  });
  return models.length > 0 ? Object.fromEntries(models) : undefined;
}

/** Only told for some models. */
export function costOf(value: Json): Cost | undefined {
  const amount = asNumber(value);
  return amount === undefined || amount < 0 ? undefined : { amount, currency: 'USD' };
}

function inclusive(input: Json, cacheRead: Json, cacheWrite: Json, output: Json): Usage | undefined {
  const [inputTokens, outputTokens] = [asCount(input), asCount(output)];
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cacheReadTokens = asCount(cacheRead) ?? 0;
  const cacheWriteTokens = asCount(cacheWrite) ?? 0;
  return {
    inputTokens: (inputTokens ?? 0) + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: outputTokens ?? 0,
  };
}
