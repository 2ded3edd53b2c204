// What Claude Code hands to the program of its `statusLine` setting: one JSON object on standard input.

import { asCount, asNumber, asObject, asText, type Json } from '../../event/json.ts';
import { asAmount, usageOf } from '../dialects/claude/usage.ts';
import type { StatusFacts } from '../transcript-usage.ts';

interface StatusPayload {
  session_id: string;
  model: { id: string; display_name: string };
  cost: { total_cost_usd: number };
  context_window: { context_window_size: number; used_percentage: number; current_usage: Json };
}

/** The facts of a payload. Everything in it may be missing; what is no object is no payload. */
export function readStatus(value: Json): StatusFacts | undefined {
  const payload = asObject<StatusPayload>(value);
  if (!payload) return undefined;
  const model = asObject<StatusPayload['model']>(payload.model);
  const context = asObject<StatusPayload['context_window']>(payload.context_window);
  const size = asCount(context?.context_window_size);
  const share = asNumber(context?.used_percentage);
  const told = usageOf(context?.current_usage)?.inputTokens;
  const reckoned = size === undefined || share === undefined ? undefined : Math.round((size * share) / 100);
  return {
    sessionId: asText(payload.session_id),
    model: asText(model?.display_name) ?? asText(model?.id),
    costUsd: asAmount(asObject<StatusPayload['cost']>(payload.cost)?.total_cost_usd),
    contextUsed: told ?? reckoned,
    contextSize: size,
  };
}
