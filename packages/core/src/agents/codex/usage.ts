// Codex counts over the whole thread; a turn is what came on top.

import type { Usage } from '../../event/event.ts';
import { asCount, asObject, type Json } from '../../event/json.ts';
import { subtractUsage } from '../../event/usage.ts';
import type { CodexUsage } from './wire.ts';

/** Caches are part of the input, and reasoning is part of the output, as in ours. */
const COUNTS: readonly (readonly [keyof CodexUsage, keyof Usage])[] = [
  ['input_tokens', 'inputTokens'],
  ['cached_input_tokens', 'cacheReadTokens'],
  ['cache_write_input_tokens', 'cacheWriteTokens'],
  ['output_tokens', 'outputTokens'],
  ['reasoning_output_tokens', 'reasoningTokens'],
];

/** Takes the totals of one thread after the other, and says what each turn used. */
export function createUsageReader(): {
  startThread(id: string | undefined): void;
  read(usage: Json): Usage | undefined;
} {
  let thread: string | undefined;
  let before: Usage = {};
  return {
    startThread(id) {
      // A thread that is gone on with counts on.
      if (id !== thread) before = {};
      thread = id;
    },
    read(usage) {
      const total = totalOf(usage);
      if (!total) return undefined;
      const turn = subtractUsage(total, before) ?? total;
      before = total;
      return turn;
    },
  };
}

function totalOf(usage: Json): Usage | undefined {
  const counts = asObject<CodexUsage>(usage);
  const told = COUNTS.flatMap(([theirs, ours]) => {
    const count = asCount(counts?.[theirs]);
    return count === undefined ? [] : [[ours, count] as const];
  });
  // Where nobody counted it prints 0 for all of them.
  return told.every(([, count]) => count === 0) ? undefined : Object.fromEntries(told);
}
