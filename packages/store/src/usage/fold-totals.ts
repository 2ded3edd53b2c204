// A session whose files tell totals: they are folded as everywhere else, from the few events that make the bill.

import { type AgentStreamEvent, createSession, type EventOf, type LedgerEntry, type Usage } from '@tailrace/core';
import type { UsageEntry } from '../contract.ts';
import type { FileTotal, FileUsage } from './file-usage.ts';
import * as row from './file-usage.ts';

/** The entries of one session. */
export function foldTotals(sessionId: string, project: string | null, files: readonly FileUsage[]): UsageEntry[] {
  const session = createSession();
  for (const file of files) {
    const stream = { id: file.path, source: 'transcript' } as const;
    for (const event of eventsOf(file)) session.add(stream, event);
  }
  return session.ledger.entries().map((entry) => fromLedger(entry, sessionId, project));
}

function fromLedger(entry: LedgerEntry, sessionId: string, project: string | null): UsageEntry {
  const { usage } = entry;
  return {
    id: entry.id,
    sessionId,
    subagentId: entry.subagentId ?? null,
    at: entry.time ?? null,
    model: entry.model ?? null,
    project,
    inputTokens: usage.inputTokens ?? 0,
    cacheReadTokens: usage.cacheReadTokens ?? 0,
    cacheWriteTokens: usage.cacheWriteTokens ?? 0,
    cacheWrite1hTokens: usage.cacheWrite1hTokens ?? 0,
    outputTokens: usage.outputTokens ?? 0,
    costUsd: entry.costUsd ?? null,
    messages: entry.isRest ? 0 : 1,
  };
}

/** As events, of which the fold makes the bill: the few that it looks at. */
function* eventsOf(file: FileUsage): Generator<AgentStreamEvent> {
  const { ids, numbers, models, subagents, totals } = file;
  let told = 0;
  for (let index = 0; index <= ids.length; index++) {
    for (; (totals[told]?.after ?? Number.POSITIVE_INFINITY) <= index; told++) {
      const total = totals[told];
      if (total) yield* eventsOfTotal(total);
    }
    const id = ids[index];
    if (id === undefined) break;
    const at = index * row.STRIDE;
    const of = (place: number): number => numbers[at + place] ?? 0;
    const time = of(row.TIME) < 0 ? undefined : of(row.TIME);
    const subagentId = subagents[of(row.SUBAGENT)];
    const thread = subagentId === undefined ? {} : { subagentId };
    const model = models[of(row.MODEL)];
    yield {
      type: 'message-start',
      seq: 0,
      messageId: id,
      ...(model !== undefined && { model }),
      ...(time !== undefined && { time }),
      ...thread,
    };
    const usage = usageOf([row.INPUT, row.READ, row.WRITE, row.HOUR, row.OUTPUT].map(of));
    yield { type: 'message-end', seq: 0, messageId: id, usage, ...thread };
    const amount = of(row.COST);
    if (amount >= 0) yield { type: 'step-end', seq: 0, stepId: id, cost: { amount, currency: 'USD' }, ...thread };
  }
}

function* eventsOfTotal({ time, since, models, costUsd, isFollowed }: FileTotal): Generator<AgentStreamEvent> {
  // Something that only has a time.
  const mark = (at: number): EventOf<'error'> => ({
    type: 'error',
    seq: 0,
    time: at,
    error: { code: 'unknown', message: '' },
    fatal: false,
  });
  yield mark(time);
  const parts = models.map(([name, counts]) => {
    const amount = counts[5] ?? -1;
    return [name, { ...usageOf(counts), ...(amount >= 0 && { cost: { amount, currency: 'USD' } }) }] as const;
  });
  const sum = [0, 1, 2, 3, 4].map((place) => models.reduce((total, [, counts]) => total + (counts[place] ?? 0), 0));
  yield {
    type: 'usage-update',
    seq: 0,
    scope: 'session',
    usage: usageOf(sum),
    models: Object.fromEntries(parts),
    ...(since !== null && { since }),
    ...(costUsd !== null && { cost: { amount: costUsd, currency: 'USD' } }),
  };
  if (isFollowed) yield mark(time + 1);
}

function usageOf([
  inputTokens = 0,
  cacheReadTokens = 0,
  cacheWriteTokens = 0,
  hour = 0,
  outputTokens = 0,
]: readonly number[]): Usage {
  const usage = { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens };
  return hour > 0 ? { ...usage, cacheWrite1hTokens: hour } : usage;
}
