// The list of sessions in an order, in groups, with a sum under it.

import type { FigureState } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import type { Sort } from './search.ts';

export function lastActiveAt({ startedAt, endedAt }: SessionInfo): number | null {
  return endedAt ?? startedAt;
}

export function durationOf({ startedAt, endedAt }: SessionInfo): number | null {
  return startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt);
}

export function tokensOf({ usage: { inputTokens, outputTokens } }: SessionInfo): number | null {
  return inputTokens === undefined && outputTokens === undefined ? null : (inputTokens ?? 0) + (outputTokens ?? 0);
}

const MEASURES: Readonly<Record<Sort, (session: SessionInfo) => number | null>> = {
  active: lastActiveAt,
  cost: ({ costUsd }) => costUsd,
  duration: durationOf,
  tokens: tokensOf,
};

/** The largest first; those of which it is not known come last; equal ones keep their places. */
export function sortSessions(sessions: readonly SessionInfo[], sort: Sort): readonly SessionInfo[] {
  const measure = MEASURES[sort];
  const weight = (session: SessionInfo): number => measure(session) ?? Number.NEGATIVE_INFINITY;
  // Two that are not known are equal: their difference would be no number.
  return [...sessions].sort((a, b) => (weight(a) === weight(b) ? 0 : weight(b) - weight(a)));
}

export interface Group {
  readonly key: string;
  readonly title: string;
  readonly sessions: readonly SessionInfo[];
}

/** Groups in the order of their first sessions. */
export function groupSessions(sessions: readonly SessionInfo[], by: 'project' | 'day', now: number): readonly Group[] {
  const groups = new Map<string, { title: string; sessions: SessionInfo[] }>();
  for (const session of sessions) {
    const { key, title } = by === 'day' ? dayOf(lastActiveAt(session), now) : projectOf(session);
    const group = groups.get(key);
    if (group) group.sessions.push(session);
    else groups.set(key, { title, sessions: [session] });
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

function projectOf({ projectId, project, cwd }: SessionInfo): { readonly key: string; readonly title: string } {
  return { key: projectId ?? cwd ?? project ?? '', title: project ?? cwd ?? 'in no project' };
}

function dayOf(at: number | null, now: number): { readonly key: string; readonly title: string } {
  if (at === null) return { key: '', title: 'at no known time' };
  const date = new Date(at);
  const yesterday = new Date(now);
  yesterday.setDate(yesterday.getDate() - 1);
  const key = date.toDateString();
  if (key === new Date(now).toDateString()) return { key, title: 'today' };
  if (key === yesterday.toDateString()) return { key, title: 'yesterday' };
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  const options: Intl.DateTimeFormatOptions = { weekday: 'long', month: 'long', day: 'numeric' };
  return { key, title: date.toLocaleDateString([], isThisYear ? options : { ...options, year: 'numeric' }) };
}

export interface Total {
  readonly usd: number | null;
  readonly state: FigureState;
}

/** What all of them cost, as sure as the least sure of them. Where one is not known, or not all are there, it is a lower bound. */
export function totalCost(sessions: readonly SessionInfo[], isPart: boolean): Total {
  let usd: number | null = null;
  let state: FigureState = isPart ? 'known' : 'reconciled';
  for (const session of sessions) {
    if (session.costUsd === null || session.costState === 'unknown') state = 'known';
    else {
      usd = (usd ?? 0) + session.costUsd;
      if (session.costState === 'known' || (session.costState === 'estimated' && state !== 'known'))
        state = session.costState;
    }
  }
  return usd === null ? { usd, state: 'unknown' } : { usd, state };
}
