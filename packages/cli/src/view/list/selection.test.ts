import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepSelection, selectAt } from './selection.ts';

const listed = (...ids: readonly string[]) => ids.map((id) => ({ id, live: null }));
const running = (id: string, runId: string) => ({
  id,
  live: { runId, state: 'working', since: 1, isOurs: true, waiting: 0, progress: null, subagents: 0 } as const,
});

test('the first is chosen, and stays so when others come before it', () => {
  const first = keepSelection(undefined, listed('a', 'b'));
  expect(first?.id).toBe('a');
  expect(keepSelection(first, listed('c', 'b', 'a'))?.id).toBe('a');
});

test('where the chosen one goes, the nearest stays: the one below, else the one above', () => {
  const chosen = selectAt(listed('a', 'b', 'c'), 1);
  expect(keepSelection(chosen, listed('new', 'a', 'c'))?.id).toBe('c');
  expect(keepSelection(chosen, listed('new', 'a'))?.id).toBe('a');
  expect(keepSelection(chosen, listed('new'))?.id).toBe('new');
});

test('a session that gets its own name is still the chosen one, at once and after it was away', () => {
  const chosen = selectAt([...listed('a'), running('r', 'r'), ...listed('b')], 1);
  expect(keepSelection(chosen, [running('own', 'r'), ...listed('a', 'b')])?.id).toBe('own');
  const away = keepSelection(chosen, listed('a', 'b'));
  expect(away?.id).toBe('b');
  expect(keepSelection(away, [...listed('a', 'b'), running('own', 'r')])?.id).toBe('own');
});

test('a list that is read again leaves it', () => {
  const chosen = selectAt(listed('a', 'b'), 1);
  expect(keepSelection(keepSelection(chosen, []), listed('b', 'a'))?.id).toBe('b');
});

test('whatever comes and moves, what is there stays chosen', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 2 }), { minLength: 1 });
  fc.assert(
    fc.property(ids, fc.nat(), fc.array(ids), (first, at, later) => {
      let chosen = selectAt(listed(...first), at % first.length);
      for (const order of later) {
        const before = chosen;
        chosen = keepSelection(before, listed(...order));
        expect(order).toContain(chosen?.id);
        // One that was away and is back is chosen again.
        if (before && order.includes(before.id) && before.lostRun === undefined) expect(chosen?.id).toBe(before.id);
        expect(keepSelection(chosen, listed(...order))?.id).toBe(chosen?.id);
      }
    }),
  );
});
