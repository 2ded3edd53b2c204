// What a session cost, answer by answer: the parts of its bill, with a price where the agent told none.

import type { SpendingRow } from '@tailrace/protocol';
import { loadPrices, type Store, type UsageEntry } from '@tailrace/store';
import { ProblemError } from '../problem-error.ts';

/** Less is the noise of adding up. */
const NOTHING = 1e-9;

/** Rejects with a {@link ProblemError} where there is no such session. */
export async function readSpending(
  { history }: Pick<Store, 'history'>,
  sessionId: string,
  priceFile: string | undefined,
): Promise<readonly SpendingRow[]> {
  const session = await history.session(sessionId);
  if (!session) throw new ProblemError('not-found', 'there is no such session');
  const entries = [...(await history.usage({ sessionId }))].sort(byTime);
  const told = entries.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  // A total of the agent's is all there is to pay: what got no share of it must not be paid for once more.
  const isWhole = session.costUsd !== null && Math.abs(session.costUsd - told) < NOTHING;
  const unpriced = entries.filter(({ costUsd, model }) => costUsd === null && model !== null && !isWhole);
  const prices =
    unpriced.length === 0
      ? undefined
      : await loadPrices(new Set(unpriced.flatMap(({ model }) => model ?? [])), priceFile);
  return entries.map((entry) => {
    const estimate = isWhole ? undefined : prices?.costOf(entry.model, entry, entry.at);
    return rowOf(entry, estimate ?? null);
  });
}

/** Without a time at the end; the order of the bill is kept. */
function byTime(a: UsageEntry, b: UsageEntry): number {
  return (a.at ?? Number.MAX_SAFE_INTEGER) - (b.at ?? Number.MAX_SAFE_INTEGER);
}

function rowOf(entry: UsageEntry, estimate: number | null): SpendingRow {
  const { at, model, subagentId, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, messages } = entry;
  return {
    at,
    model,
    subagentId,
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    costUsd: entry.costUsd ?? estimate,
    costState: entry.costUsd !== null ? 'reconciled' : estimate !== null ? 'estimated' : 'unknown',
    isRest: messages === 0,
  };
}
