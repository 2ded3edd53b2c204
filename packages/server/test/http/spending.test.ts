// What a session cost, answer by answer, is what it cost.

import { randomUUID } from 'node:crypto';
import { spending } from '@tailrace/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keep, openPlace, type Place, recordedLines } from './place.ts';

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

async function spendingOf(id: string) {
  const { items } = spending.parse((await place.askAsPerson(`/api/sessions/${id}/spending`)).json);
  const { json: session } = await place.askAsPerson(`/api/sessions/${id}`);
  const sum = (name: 'inputTokens' | 'outputTokens' | 'costUsd'): number =>
    items.reduce((all, row) => all + (row[name] ?? 0), 0);
  return { items, session, sum };
}

test.each(['basic-text', 'subagents-two', 'todo-write', 'resume-fork.run1'])(
  'the rows of %s add up to what the agent told',
  async (name) => {
    const id = await keep(place.store, recordedLines(name));
    const { items, session, sum } = await spendingOf(id);
    expect(session.costState).toBe('reconciled');
    expect(sum('costUsd')).toBeCloseTo(session.costUsd, 9);
    expect([sum('inputTokens'), sum('outputTokens')]).toEqual([session.usage.inputTokens, session.usage.outputTokens]);
    expect(items.filter(({ isRest }) => !isRest).length).toBeGreaterThan(0);
    for (const { costState } of items) expect(costState).toBe('reconciled');
    const times = items.flatMap(({ at }) => at ?? []);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    if (name === 'subagents-two') expect(new Set(items.map(({ subagentId }) => subagentId)).size).toBeGreaterThan(1);
  },
);

test('where the agent tells no cost, each row has its price, and one of an unknown model has none', async () => {
  const id = randomUUID();
  const answer = (name: string, model: string, tokens: number): object => ({
    type: 'assistant',
    session_id: id,
    message: {
      id: name,
      role: 'assistant',
      model,
      content: [{ type: 'text', text: name }],
      usage: { input_tokens: tokens, output_tokens: 10 },
    },
  });
  const lines = [
    { type: 'system', subtype: 'init', session_id: id, cwd: '/somewhere', model: 'claude-sonnet-4-5', tools: [] },
    answer('m1', 'claude-sonnet-4-5', 1_000),
    answer('m2', 'nobody-knows', 500),
    answer('m3', 'claude-sonnet-4-5', 2_000),
  ];
  await keep(
    place.store,
    lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)),
  );
  const { items, session, sum } = await spendingOf(id);
  expect(items.map(({ model, costState }) => [model, costState])).toEqual([
    ['claude-sonnet-4-5', 'estimated'],
    ['nobody-knows', 'unknown'],
    ['claude-sonnet-4-5', 'estimated'],
  ]);
  expect(session.costState).toBe('known');
  expect(sum('costUsd')).toBeCloseTo(session.costUsd, 9);
  expect(sum('costUsd')).toBeGreaterThan(0);
  expect(items[1]?.costUsd).toBeNull();
});

test('a fork has only what is its own', async () => {
  const own = await openPlace();
  const ids = [];
  for (const name of ['resume-fork.run1', 'resume-fork.run2', 'resume-fork.run3'])
    ids.push(await keep(own.store, recordedLines(name)));
  for (const id of new Set(ids)) {
    const { items } = spending.parse((await own.askAsPerson(`/api/sessions/${id}/spending`)).json);
    const { costUsd } = (await own.askAsPerson(`/api/sessions/${id}`)).json;
    expect(items.reduce((sum, row) => sum + (row.costUsd ?? 0), 0)).toBeCloseTo(costUsd, 9);
  }
  expect(new Set(ids).size).toBeGreaterThan(1);
  await own.close();
});

test('there is none of a session that is not there', async () => {
  expect((await place.askAsPerson(`/api/sessions/${randomUUID()}/spending`)).status).toBe(404);
});
