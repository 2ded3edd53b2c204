import type { FigureState } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testSession } from '../../test/test-client.ts';
import { groupSessions, lastActiveAt, sortSessions, totalCost } from './arrange.ts';
import { SORTS } from './search.ts';

const NOW = new Date(2026, 10, 16, 12).getTime();
const HOUR = 3_600_000;
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const anySession: fc.Arbitrary<SessionInfo> = fc
  .record({
    id: fc.uuid(),
    project: fc.constantFrom(null, 'mill', 'weir'),
    projectId: fc.constantFrom(null, 'p1', 'p2'),
    cwd: fc.constantFrom(null, '/mill'),
    startedAt: maybe(fc.integer({ min: NOW - 90 * 24 * HOUR, max: NOW })),
    endedAt: maybe(fc.integer({ min: NOW - 90 * 24 * HOUR, max: NOW })),
    // Eighths, so that sums are exact in any order.
    costUsd: maybe(fc.integer({ min: 0, max: 800 }).map((eighths) => eighths / 8)),
    costState: fc.constantFrom<FigureState>('known', 'estimated', 'reconciled', 'unknown'),
    inputTokens: fc.nat(1000),
  })
  .map(({ inputTokens, ...more }) => testSession('', { ...more, usage: { state: 'known', inputTokens } }));
const anySessions = fc.array(anySession, { maxLength: 40 });
const anySort = fc.constantFrom(...SORTS);

test('an order has the same sessions, the largest first and the unknown last', () => {
  fc.assert(
    fc.property(anySessions, anySort, (sessions, sort) => {
      const sorted = sortSessions(sessions, sort);
      expect(new Set(sorted)).toEqual(new Set(sessions));
      expect(sorted).toHaveLength(sessions.length);
      const measures = sorted.map((session) => {
        if (sort === 'cost') return session.costUsd;
        if (sort === 'tokens') return session.usage.inputTokens ?? null;
        if (sort === 'active') return lastActiveAt(session);
        const { startedAt, endedAt } = session;
        return startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt);
      });
      const known = measures.filter((measure) => measure !== null);
      expect(measures.slice(0, known.length)).toEqual([...known].sort((a, b) => b - a));
    }),
  );
});

test('equal ones keep their places', () => {
  const sessions = ['a', 'b', 'c'].map((id) => testSession(id, { costUsd: id === 'b' ? 1 : null }));
  expect(sortSessions(sessions, 'cost').map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

test('each session is in one group, in the order it had', () => {
  fc.assert(
    fc.property(anySessions, fc.constantFrom('project' as const, 'day' as const), (sessions, by) => {
      const groups = groupSessions(sessions, by, NOW);
      expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length);
      expect(groups.reduce((sum, group) => sum + group.sessions.length, 0)).toBe(sessions.length);
      for (const group of groups)
        expect(group.sessions).toEqual(sessions.filter((session) => group.sessions.includes(session)));
      expect(groups.map((group) => group.sessions[0])).toEqual(
        sessions.filter((session) => groups.some((group) => group.sessions[0] === session)),
      );
    }),
  );
});

test('two folders of the same name are two groups', () => {
  const sessions = ['p1', 'p2'].map((projectId) => testSession(projectId, { projectId, project: 'app' }));
  expect(groupSessions(sessions, 'project', NOW).map(({ title }) => title)).toEqual(['app', 'app']);
});

test('days are named as people do', () => {
  const at = (ms: number): SessionInfo => testSession('', { endedAt: ms });
  const titles = groupSessions(
    [at(NOW), at(NOW - 13 * HOUR), at(NOW - 40 * HOUR), testSession('', { startedAt: null, endedAt: null })],
    'day',
    NOW,
  ).map(({ title }) => title);
  expect(titles).toEqual(['today', 'yesterday', expect.stringContaining('14'), 'at no known time']);
});

test('a sum is of all that is known, and as sure as the least sure of it', () => {
  const order: readonly FigureState[] = ['reconciled', 'estimated', 'known'];
  fc.assert(
    fc.property(anySessions, fc.boolean(), (sessions, isPart) => {
      const counted = sessions.filter(({ costUsd, costState }) => costUsd !== null && costState !== 'unknown');
      const total = totalCost(sessions, isPart);
      if (counted.length === 0) {
        expect(total).toEqual({ usd: null, state: 'unknown' });
        return;
      }
      expect(total.usd).toBe(counted.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0));
      const isLess = isPart || counted.length < sessions.length;
      const worst = Math.max(...counted.map(({ costState }) => order.indexOf(costState)));
      expect(total.state).toBe(isLess ? 'known' : order[worst]);
    }),
  );
});
