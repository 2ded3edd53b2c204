import { expect, test } from 'vitest';
import { noFields, startWish } from './start-wish.ts';

const claude = { name: 'claude', title: 'Claude Code', takes: ['permissionMode', 'maxBudgetUsd'] };
const goose = { name: 'goose', title: 'goose', takes: [] };
const fields = { ...noFields, project: 'p', prompt: 'Go' };

test('what is empty is left out', () => {
  expect(startWish(fields, claude)).toEqual({
    command: { action: 'start', project: 'p', prompt: 'Go', agent: 'claude', isConversation: true },
  });
});

test('what is filled in is asked for, as it is meant', () => {
  const all = { ...fields, path: './packages/api/', model: ' opus ', permissionMode: 'plan', budget: '$2.50' };
  expect(startWish(all, claude)).toMatchObject({
    command: { path: 'packages/api', model: 'opus', permissionMode: 'plan', budgetUsd: 2.5 },
  });
});

test('what an agent does not take is not asked of it', () => {
  const wish = startWish({ ...fields, agent: 'goose', permissionMode: 'plan', budget: 'much' }, goose);
  expect(wish).toEqual({
    command: { action: 'start', project: 'p', prompt: 'Go', agent: 'goose', isConversation: true },
  });
});

test('what is wrong is said', () => {
  for (const change of [
    { project: '' },
    { prompt: ' \n' },
    { model: '--x' },
    { model: 'a b' },
    { budget: '0' },
    { budget: 'x' },
  ])
    expect(startWish({ ...fields, ...change }, claude)).toEqual({ fault: expect.stringMatching(/\.$/) });
});
