// Tokens in a few words: a line has little room.

import { type FigureState, markOf, type Usage } from '@tailrace/core';

export function showTokens(usage: Usage & { readonly state?: FigureState }): string {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return '';
  const input = usage.inputTokens ?? 0;
  const cached = input > 0 ? Math.round((100 * (usage.cacheReadTokens ?? 0)) / input) : 0;
  const share = cached > 0 ? ` (${cached} % cached)` : '';
  const mark = markOf(usage.state ?? 'reconciled');
  return `${mark}${showCount(input)} in${share} · ${mark}${showCount(usage.outputTokens ?? 0)} out`;
}

export function showCount(count: number): string {
  if (count < 10_000) return `${count}`;
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
