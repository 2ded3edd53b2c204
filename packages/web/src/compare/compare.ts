// Two sessions, figure by figure, and how the second differs from the first in words.

import { lookOf } from '@tailrace/client/timeline';
import { showCost, showDuration, type Usage } from '@tailrace/core';
import type { SessionDetail } from '@tailrace/protocol';

export interface ComparedRow {
  readonly name: string;
  readonly first: string;
  readonly second: string;
  /** Of the second: `$0.12 less (34 %)`, `2 more`; nothing where there is none, or nothing to say. */
  readonly difference: string;
}

export function compareSessions(first: SessionDetail, second: SessionDetail): readonly ComparedRow[] {
  const both = [first, second] as const;
  const words = (name: string, read: (one: SessionDetail) => string): ComparedRow => {
    const [a, b] = both.map(read) as [string, string];
    return { name, first: a, second: b, difference: a === b ? '' : 'another' };
  };
  const count = (name: string, read: (one: SessionDetail) => number): ComparedRow => {
    const [a, b] = both.map(read) as [number, number];
    return { name, first: whole(a), second: whole(b), difference: differenceOf(a, b, whole) };
  };
  /** What neither has is not worth a row. */
  const some = (name: string, read: (one: SessionDetail) => number): readonly ComparedRow[] =>
    both.some((one) => read(one) > 0) ? [count(name, read)] : [];
  return [
    words('Agent', ({ agent }) => agent),
    words('Models', ({ summary, model }) => Object.keys(summary.models).join(', ') || (model ?? '')),
    words('Outcome', (session) => lookOf(session).word),
    {
      name: 'Cost',
      first: showCost(first.costUsd, first.costState),
      second: showCost(second.costUsd, second.costState),
      difference: differenceOf(first.costUsd, second.costUsd, (usd) => showCost(usd, 'reconciled')),
    },
    {
      name: 'Time',
      first: showDuration(first.summary.durationMs),
      second: showDuration(second.summary.durationMs),
      difference: differenceOf(first.summary.durationMs, second.summary.durationMs, showDuration),
    },
    count('Turns', ({ summary }) => summary.turns),
    count('Tokens in', ({ usage }) => usage.inputTokens ?? 0),
    ...some('Of them from the cache', ({ usage }) => cacheReads(usage)),
    count('Tokens out', ({ usage }) => usage.outputTokens ?? 0),
    count('Calls', ({ summary }) => summary.toolCalls.length),
    ...kindsOf(both).map((kind) =>
      count(`  ${kind}`, ({ summary }) => summary.toolCalls.filter((call) => call.kind === kind).length),
    ),
    ...some(
      'Calls that failed',
      ({ summary }) => summary.toolCalls.filter(({ outcome }) => outcome === 'error').length,
    ),
    ...some('Denials', ({ summary }) => summary.permissionDenials),
    ...some('Retries', ({ summary }) => summary.retries),
    ...some('Sub-agents', ({ summary }) => summary.subagents.length),
    count('Files changed', ({ summary }) => summary.filesChanged.length),
  ];
}

export interface ComparedFiles {
  readonly both: readonly string[];
  readonly first: readonly string[];
  readonly second: readonly string[];
}

/** Which files both changed, and which only one of them. */
export function compareFiles(first: SessionDetail, second: SessionDetail): ComparedFiles {
  const [a, b] = [first, second].map(({ summary }) => new Set(summary.filesChanged.map(({ path }) => path))) as [
    Set<string>,
    Set<string>,
  ];
  return {
    both: [...a].filter((path) => b.has(path)),
    first: [...a].filter((path) => !b.has(path)),
    second: [...b].filter((path) => !a.has(path)),
  };
}

function kindsOf(sessions: readonly SessionDetail[]): readonly string[] {
  return [...new Set(sessions.flatMap(({ summary }) => summary.toolCalls.map(({ kind }) => kind)))].sort();
}

function cacheReads(usage: Usage): number {
  return usage.cacheReadTokens ?? 0;
}

function whole(count: number): string {
  return count.toLocaleString('en');
}

/** `$0.12 less (34 %)`. Half a percent is no difference that anybody wants to hear of. */
export function differenceOf(before: number | null, after: number | null, show: (amount: number) => string): string {
  if (before === null || after === null || before === after) return '';
  const amount = show(Math.abs(after - before));
  const word = after > before ? 'more' : 'less';
  const share = before === 0 ? '' : ` (${Math.round((Math.abs(after - before) / before) * 100)} %)`;
  return `${amount} ${word}${share}`;
}
