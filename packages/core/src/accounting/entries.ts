// The bill taken apart: what each answer took, and what totals tell beyond the answers. A total is never more or less than the
// sum of its entries: an answer gets no more of it than is there, and what nobody showed is a rest.

import type { Usage } from '../event/event.ts';
import { entryOf } from '../event/json.ts';
import { isUsed } from '../event/usage.ts';
import { costOf, type PriceTable, priceOf, USUAL_WEIGHTS } from './prices.ts';

/** What one answer took, or a part of a total that no answer explains. The sum over all is the bill. */
export interface LedgerEntry {
  /** The answer's id; of a rest one that stays the same, also in a fork that has the history of another session. */
  readonly id: string;
  /** The agent's time, else when it arrived. Of a rest: of the total. */
  readonly time?: number | undefined;
  readonly model?: string | undefined;
  readonly subagentId?: string | undefined;
  readonly usage: Usage;
  /** A share of the agent's own cost, where it tells one; else by the table of prices. */
  readonly costUsd?: number | undefined;
  /** No answer: something that only a total tells, like the call of a compaction. */
  readonly isRest: boolean;
}

/** An answer that a total covers, or that none does. */
export interface Answered {
  readonly id: string;
  readonly time: number | undefined;
  readonly model: string | undefined;
  readonly subagentId: string | undefined;
  readonly usage: Usage | undefined;
  /** Where somebody tells what this one answer cost. */
  readonly costUsd: number | undefined;
}

/** A total, with the answers that it is made of as far as they were seen. */
export interface Span {
  /** What tells it from others: part of the id of its rests. */
  readonly key: string;
  readonly time: number | undefined;
  readonly usage: Usage;
  readonly models: readonly (readonly [string, { readonly usage: Usage; readonly costUsd: number | undefined }])[];
  readonly costUsd: number | undefined;
  readonly answers: readonly Answered[];
}

/** The entries of one total: they add up to it, in tokens and in cost. */
export function entriesOfSpan(span: Span, prices: PriceTable): LedgerEntry[] {
  const left = countsOf(span.usage);
  const groups = span.models.map(([name, part]): Group => {
    const counts = take(countsOf(part.usage), left);
    return { name, counts, costUsd: part.costUsd, entries: [] };
  });
  // A total by model that does not make the whole: the remainder is of a model that nobody knows.
  if (isLeft(left)) groups.push({ name: undefined, counts: left, costUsd: undefined, entries: [] });
  for (const answer of span.answers) {
    if (!answer.usage || !isUsed(answer.usage)) continue;
    const group = groupOf(groups, answer.model);
    const usage = group ? usageOf(take(countsOf(answer.usage), group.counts)) : {};
    const { id, time, subagentId } = answer;
    const entry = { id, time, model: group ? group.name : answer.model, subagentId, usage, isRest: false };
    if (group) group.entries.push({ entry, ownCost: answer.costUsd });
    else groups.push({ name: answer.model, counts: {}, costUsd: undefined, entries: [{ entry, ownCost: undefined }] });
  }
  for (const { name, counts, entries } of groups) {
    const usage = usageOf(counts);
    if (!isLeft(counts)) continue;
    const id = `rest ${name ?? ''} ${span.key}`;
    entries.push({ entry: { id, time: span.time, model: name, usage, isRest: true }, ownCost: undefined });
  }
  return shareCost(span, groups, prices);
}

/** An answer that no total covers is what it says. */
export function entryOfAnswer(answer: Answered, prices: PriceTable): LedgerEntry | undefined {
  const { id, time, model, subagentId, usage } = answer;
  if (!usage || !isUsed(usage)) return undefined;
  return { id, time, model, subagentId, usage, costUsd: costOf(answer, prices), isRest: false };
}

interface Group {
  readonly name: string | undefined;
  /** What is left of it. */
  readonly counts: Counts;
  readonly costUsd: number | undefined;
  readonly entries: { readonly entry: LedgerEntry; readonly ownCost: number | undefined }[];
}

/** The total's part that an answer belongs to. A model may have a mark behind its name there: `name[1m]`. */
function groupOf(groups: readonly Group[], model: string | undefined): Group | undefined {
  const isSole = groups.length === 1;
  return (
    groups.find(({ name }) => name === model) ??
    groups.find(({ name }) => name !== undefined && stemOf(name) === stemOf(model ?? '')) ??
    groups.find(({ name }) => name === undefined || name === 'unknown') ??
    (isSole && model === undefined ? groups[0] : undefined)
  );
}

function stemOf(model: string): string {
  const mark = model.indexOf('[');
  return mark > 0 ? model.slice(0, mark) : model;
}

// ── Tokens ────────────────────────────────────────────────────────────────────────────────────────

/** Counts that do not contain each other, so that each can be taken apart by itself. */
type Counts = { [name in (typeof NAMES)[number]]?: number | undefined };
const NAMES = ['fresh', 'read', 'write', 'hour', 'output', 'reasoning', 'total'] as const;

function countsOf(usage: Usage): Counts {
  const { inputTokens: input, outputTokens: output, reasoningTokens: reasoning, totalTokens: total } = usage;
  // Parts of something are no more than it, whatever is told.
  const read = atMost(usage.cacheReadTokens, input);
  const written = atMost(usage.cacheWriteTokens, input === undefined ? undefined : input - (read ?? 0));
  const hour = atMost(usage.cacheWrite1hTokens, written);
  const write = written === undefined ? undefined : written - (hour ?? 0);
  const fresh = input === undefined ? undefined : input - (read ?? 0) - (written ?? 0);
  return { fresh, read, write, hour, output, reasoning, total };
}

function atMost(count: number | undefined, limit: number | undefined): number | undefined {
  return count === undefined || limit === undefined ? count : Math.min(count, limit);
}

function usageOf({ fresh, read, write, hour, output, reasoning, total }: Counts): Usage {
  const written = write === undefined && hour === undefined ? undefined : (write ?? 0) + (hour ?? 0);
  return {
    ...(fresh !== undefined && { inputTokens: fresh + (read ?? 0) + (written ?? 0) }),
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(hour !== undefined && { cacheWrite1hTokens: hour }),
    ...(output !== undefined && { outputTokens: output }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    ...(total !== undefined && { totalTokens: total }),
  };
}

/** Takes as much of `wanted` as is left, and gives what was taken. */
function take(wanted: Counts, left: Counts): Counts {
  const taken: Counts = {};
  for (const name of NAMES) {
    const want = wanted[name];
    if (want === undefined) continue;
    const count = Math.max(0, Math.min(want, left[name] ?? 0));
    taken[name] = count;
    left[name] = (left[name] ?? 0) - count;
  }
  // One of the two may not tell how long caches last.
  exchange('hour', 'write');
  exchange('write', 'hour');
  return taken;

  function exchange(name: 'hour' | 'write', other: 'hour' | 'write'): void {
    const missing = (wanted[name] ?? 0) - (taken[name] ?? 0);
    const count = Math.min(missing, left[other] ?? 0);
    if (count <= 0) return;
    taken[other] = (taken[other] ?? 0) + count;
    left[other] = (left[other] ?? 0) - count;
  }
}

function isLeft(counts: Counts): boolean {
  return NAMES.some((name) => (counts[name] ?? 0) !== 0);
}

// ── Cost ──────────────────────────────────────────────────────────────────────────────────────────

/** Each model's own cost is shared out over its entries; what the models leave of the whole goes to those without one. */
function shareCost(span: Span, groups: readonly Group[], prices: PriceTable): LedgerEntry[] {
  const { costUsd } = span;
  if (costUsd === undefined) return groups.flatMap(({ entries }) => entries.map(({ entry }) => entry));
  const told = groups.reduce((sum, group) => sum + (group.costUsd ?? 0), 0);
  const untold = groups.filter((group) => group.costUsd === undefined && weightOf(group, prices) > 0);
  const more = costUsd - told;
  const weight = untold.reduce((sum, group) => sum + weightOf(group, prices), 0);
  const scale = weight > 0 && more > 0 ? 1 : told > 0 ? costUsd / told : 0;
  const all: LedgerEntry[] = [];
  let shared = 0;
  for (const group of groups) {
    const isUntold = group.costUsd === undefined;
    const cost = isUntold
      ? weight > 0 && more > 0 && untold.includes(group)
        ? (more * weightOf(group, prices)) / weight
        : undefined
      : (group.costUsd ?? 0) * scale;
    const parts = share(group, cost, prices);
    shared += parts.reduce((sum, part) => sum + (part.costUsd ?? 0), 0);
    all.push(...parts);
  }
  // Something was paid for what no count shows.
  const missing = costUsd - shared;
  if (missing <= 1e-12) return all;
  return [...all, { id: `rest of cost ${span.key}`, time: span.time, usage: {}, costUsd: missing, isRest: true }];
}

function share({ name, entries }: Group, costUsd: number | undefined, prices: PriceTable): LedgerEntry[] {
  if (costUsd === undefined) return entries.map(({ entry }) => entry);
  const table = entryOf(prices, name) ?? USUAL_WEIGHTS;
  // Where every answer has a cost of its own, those tell the shares.
  const isOwn = entries.every(({ ownCost }) => ownCost !== undefined);
  const weights = entries.map(({ entry, ownCost }) => (isOwn ? (ownCost ?? 0) : priceOf(entry.usage, table)));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return entries.map(({ entry }, index) => ({
    ...entry,
    costUsd: whole > 0 ? (costUsd * (weights[index] ?? 0)) / whole : 0,
  }));
}

function weightOf({ name, entries }: Group, prices: PriceTable): number {
  const table = entryOf(prices, name) ?? USUAL_WEIGHTS;
  return entries.reduce((sum, { entry }) => sum + priceOf(entry.usage, table), 0);
}
