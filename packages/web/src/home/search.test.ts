import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HomeSearch, isNarrowed, readHomeSearch } from './search.ts';

test('an address is read as it was written', () => {
  const search: HomeSearch = {
    q: 'a',
    project: 'p',
    model: 'm',
    agent: 'x',
    status: 'error',
    starred: true,
    period: 'all',
    sort: 'cost',
    by: 'day',
  };
  expect(readHomeSearch({ ...search })).toEqual(search);
  expect(readHomeSearch({ q: 12 })).toEqual({ q: '12' });
});

test('what makes no sense is left out', () => {
  expect(readHomeSearch({ q: '', sort: 'colour', by: 'moon', period: '7', starred: 'no', project: { a: 1 } })).toEqual(
    {},
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('q', 'sort', 'by', 'starred', 'x'), fc.anything()), (search) => {
      const read = readHomeSearch(search);
      expect(readHomeSearch({ ...read })).toEqual(read);
      expect(
        Object.values(read).every((value) => value === true || (typeof value === 'string' && value.length <= 200)),
      ).toBe(true);
    }),
  );
});

test('an order narrows nothing', () => {
  expect(isNarrowed({ sort: 'cost', by: 'day', period: 'all' })).toBe(false);
  expect(isNarrowed({ starred: true })).toBe(true);
});
