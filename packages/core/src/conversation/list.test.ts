import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countDiffering, freeze } from '../../test/conversations.ts';
import {
  compareOrders,
  type Entry,
  entriesBefore,
  findEntry,
  insertEntry,
  type List,
  lastEntry,
  type Order,
  replaceEntry,
} from './list.ts';

interface Named extends Entry {
  readonly name?: string;
}

const empty: List<Named> = [];
const entry = (id: number, time = id): Named => ({ id: `id ${id}`, order: [time, 0, 0, id] });
const filled = (length: number): List<Named> =>
  Array.from({ length }, (_, at) => entry(at)).reduce<List<Named>>(insertEntry, empty);
const isSorted = (list: List<Named>): boolean =>
  list.flat().every((one, at, all) => at === 0 || compareOrders((all[at - 1] as Named).order, one.order) < 0);

test('orders are compared number by number', () => {
  const orders: Order[] = [
    [1, 0, 0, 0],
    [1, 0, 0, 1],
    [1, 0, 2, 0],
    [1, 3, 0, 0],
    [2, 0, 0, 0],
  ];
  expect([...orders].reverse().sort(compareOrders)).toEqual(orders);
});

test('an empty list has nothing', () => {
  expect(findEntry(empty, 'x')).toBeUndefined();
  expect(lastEntry(empty)).toBeUndefined();
  expect([...entriesBefore(empty, [9, 9, 9, 9])]).toEqual([]);
});

test('what is appended fills its chunks, and everything is found', () => {
  const list = filled(1000);
  expect(list.slice(0, -1).every((chunk) => chunk.length === list[0]?.length)).toBe(true);
  expect(list.length).toBeLessThan(20);
  expect(findEntry(list, 'id 0')?.order[0]).toBe(0);
  expect(findEntry(list, 'id 731')?.order[0]).toBe(731);
  expect(findEntry(list, 'id 1000')).toBeUndefined();
  expect(lastEntry(list)?.id).toBe('id 999');
});

test('replacing makes a root, a chunk and the entry', () => {
  const list = freeze(filled(1000));
  const before = findEntry(list, 'id 500') as Named;
  const next = replaceEntry(list, before, { ...before, name: 'changed' });
  expect(countDiffering(list, next)).toBe(3);
  expect(findEntry(next, 'id 500')?.name).toBe('changed');
  expect(findEntry(list, 'id 500')).toBe(before);
});

test('an entry whose order changes moves', () => {
  const list = filled(500);
  const first = findEntry(list, 'id 0') as Named;
  const moved = replaceEntry(list, first, { ...first, order: [250.5, 0, 0, 0] });
  expect(isSorted(moved)).toBe(true);
  expect(moved.flat()).toHaveLength(500);
  expect(moved.flat().findIndex(({ id }) => id === 'id 0')).toBe(250);
  expect(findEntry(moved, 'id 0')?.order[0]).toBe(250.5);
  expect(findEntry(list, 'id 0')).toBe(first);
});

test('entries before an order come nearest first', () => {
  const list = filled(300);
  expect([...entriesBefore(list, [2, 5, 0, 0])].map(({ id }) => id)).toEqual(['id 2', 'id 1', 'id 0']);
  expect([...entriesBefore(list, [1e9, 0, 0, 0])]).toHaveLength(300);
});

test('chunks that were nearly emptied are joined', () => {
  let list = filled(4000);
  for (let at = 0; at < 4000; at++) {
    if (at % 100 === 0) continue;
    const one = findEntry(list, `id ${at}`) as Named;
    list = replaceEntry(list, one, { ...one, order: [1e6 + at, 0, 0, at] });
  }
  expect(isSorted(list)).toBe(true);
  expect(list.flat()).toHaveLength(4000);
  expect(list.every((chunk) => chunk.length > 0)).toBe(true);
  // Those that stayed are 40, and lay in 32 chunks.
  expect(list.filter((chunk) => (chunk[0]?.order[0] ?? 0) < 1e6).length).toBeLessThan(3);
});

describe('hints', () => {
  test('two futures of one past do not disturb each other', () => {
    const past = freeze(filled(200));
    const one = insertEntry(past, entry(1000));
    const other = insertEntry(past, { id: 'id 1000', order: [3.5, 0, 0, 1000] });
    expect(findEntry(one, 'id 1000')?.order[0]).toBe(1000);
    expect(findEntry(other, 'id 1000')?.order[0]).toBe(3.5);
    expect(findEntry(past, 'id 1000')).toBeUndefined();
    expect(findEntry(insertEntry(past, entry(2000)), 'id 1000')).toBeUndefined();
  });

  test('two that begin with nothing do not share anything', () => {
    const one = insertEntry(empty, entry(1));
    const other = insertEntry(empty, entry(2));
    expect(findEntry(other, 'id 1')).toBeUndefined();
    expect(findEntry(one, 'id 2')).toBeUndefined();
  });

  test('a copy finds everything', () => {
    const copy = structuredClone(filled(300));
    expect(findEntry(copy, 'id 150')?.order[0]).toBe(150);
    expect(findEntry(insertEntry(copy, entry(999)), 'id 999')).toBeDefined();
  });
});

test('behaves as a sorted array would', () => {
  const step = fc.record({ id: fc.integer({ min: 0, max: 400 }), time: fc.integer({ min: 0, max: 50 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 900, size: 'max' }), (steps) => {
      let list = empty;
      const model = new Map<string, Named>();
      steps.forEach(({ id, time }, arrival) => {
        const known = findEntry(list, `id ${id}`);
        expect(known).toBe(model.get(`id ${id}`));
        // A known one moves, or only changes when the time is the same.
        const next: Named = known
          ? { ...known, name: `${arrival}`, order: [time, 0, 0, known.order[3]] }
          : { id: `id ${id}`, order: [time, 0, 0, arrival] };
        list = freeze(known ? replaceEntry(list, known, next) : insertEntry(list, next));
        model.set(next.id, next);
      });
      const sorted = [...model.values()].sort((a, b) => compareOrders(a.order, b.order));
      expect(list.flat()).toEqual(sorted);
      expect(list.every((chunk) => chunk.length > 0)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
