// Gemini's counts. What the model thought is told by nothing but what the total has beyond the two others.

import type { ModelUsage, Usage } from '../../event/event.ts';
import { asCount, asObject, type Json } from '../../event/json.ts';
import type { GeminiStats, GeminiTokens } from './wire.ts';

export function usageOf(value: Json): Usage | undefined {
  const tokens = asObject<GeminiTokens>(value);
  const input = asCount(tokens?.input_tokens);
  const output = asCount(tokens?.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const cached = asCount(tokens?.cached);
  const total = asCount(tokens?.total_tokens);
  const reasoning = total === undefined ? undefined : Math.max(total - input - output, 0);
  return {
    inputTokens: input,
    ...(cached !== undefined && { cacheReadTokens: cached }),
    outputTokens: output + (reasoning ?? 0),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(total !== undefined && { totalTokens: total }),
  };
}

export function modelsOf(stats: Json): Readonly<Record<string, ModelUsage>> | undefined {
  const models = asObject(asObject<GeminiStats>(stats)?.models);
  if (!models) return undefined;
  return Object.fromEntries(
    Object.entries(models).flatMap(([name, tokens]) => {
      const usage = usageOf(tokens);
      return usage ? [[name, usage]] : [];
    }),
  );
}
