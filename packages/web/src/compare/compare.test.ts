import type { SessionDetail } from '@tailrace/protocol';
import { expect, test } from 'vitest';
import { testSession } from '../../test/test-client.ts';
import { compareFiles, compareSessions, differenceOf } from './compare.ts';
import { compareTexts } from './compared-text.ts';
import { sortAlike } from './session-picker.tsx';

function detail(summary: object, more: object = {}): SessionDetail {
  const empty = {
    outcome: 'success',
    turns: 1,
    durationMs: 1000,
    models: {},
    toolCalls: [],
    subagents: [],
    permissionDenials: 0,
    retries: 0,
    filesChanged: [],
  };
  // No more of a summary is looked at.
  return { ...testSession('s', more), summary: { ...empty, ...summary } } as unknown as SessionDetail;
}

test('each figure is told of both, and how the second differs', () => {
  const first = detail(
    { durationMs: 90_000, toolCalls: [{ kind: 'read', outcome: 'success' }], models: { opus: {} } },
    { costUsd: 0.5, costState: 'reconciled' },
  );
  const second = detail(
    {
      durationMs: 30_000,
      toolCalls: [
        { kind: 'read', outcome: 'error' },
        { kind: 'execute', outcome: 'success' },
      ],
      models: { haiku: {} },
    },
    { costUsd: 0.25, costState: 'reconciled' },
  );
  const rows = Object.fromEntries(
    compareSessions(first, second).map(({ name, first: a, second: b, difference }) => [
      name.trim(),
      [a, b, difference],
    ]),
  );
  expect(rows).toMatchObject({
    Outcome: ['ended well', 'ended well', ''],
    Agent: ['claude', 'claude', ''],
    Models: ['opus', 'haiku', 'another'],
    Cost: ['$0.500', '$0.250', '$0.250 less (50 %)'],
    Time: ['1m 30s', '30.0 s', '1m 0s less (67 %)'],
    Calls: ['1', '2', '1 more (100 %)'],
    execute: ['0', '1', '1 more'],
    read: ['1', '1', ''],
    'Calls that failed': ['0', '1', '1 more'],
  });
  expect(rows).not.toHaveProperty('Denials');
});

test('what is not known is no difference', () => {
  expect(differenceOf(null, 3, String)).toBe('');
  expect(differenceOf(3, null, String)).toBe('');
  expect(differenceOf(3, 3, String)).toBe('');
});

test('files are of both, or of one', () => {
  const changed = (...paths: string[]): SessionDetail => detail({ filesChanged: paths.map((path) => ({ path })) });
  expect(compareFiles(changed('a', 'b'), changed('b', 'c'))).toEqual({ both: ['b'], first: ['a'], second: ['c'] });
});

test('words that only one text has are its own', () => {
  const { first, second } = compareTexts('The wheel turns.', 'The wheel stands.');
  expect(first.filter(({ isOwn }) => isOwn).map(({ text }) => text)).toEqual(['turns']);
  expect(second.filter(({ isOwn }) => isOwn).map(({ text }) => text)).toEqual(['stands']);
  expect(first.map(({ text }) => text).join('')).toBe('The wheel turns.');
  const long = 'x '.repeat(60_000);
  expect(compareTexts(long, 'y').first).toEqual([{ text: long, isOwn: false }]);
});

test('the same task stands first, then the same project', () => {
  const like = testSession('like', { title: 'Mend', projectId: 'p' });
  const found = sortAlike(
    [
      testSession('far', { projectId: 'q' }),
      testSession('near', { projectId: 'p' }),
      testSession('same', { title: 'Mend', projectId: 'p' }),
    ],
    like,
  );
  expect(found.map(({ id }) => id)).toEqual(['same', 'near', 'far']);
});
