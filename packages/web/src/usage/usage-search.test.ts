import { expect, test } from 'vitest';
import { type Days, daysOf, type Period, readUsageSearch } from './usage-search.ts';

test.each<[Period, Date, Days]>([
  ['month', new Date(2026, 10, 16), { since: '2026-11-01' }],
  ['last-month', new Date(2026, 10, 16), { since: '2026-10-01', until: '2026-10-31' }],
  ['last-month', new Date(2026, 0, 31), { since: '2025-12-01', until: '2025-12-31' }],
  ['last-month', new Date(2028, 2, 31), { since: '2028-02-01', until: '2028-02-29' }],
  ['30-days', new Date(2026, 10, 16), { since: '2026-10-18' }],
  ['year', new Date(2026, 10, 16), { since: '2025-11-17' }],
  ['all', new Date(2026, 10, 16), {}],
])('%s seen from %s', (period, now, days) => {
  expect(daysOf(period, now)).toEqual(days);
});

test('what makes no sense in an address is left out', () => {
  expect(readUsageSearch({ span: 'last-month', rows: 'tool' })).toEqual({ span: 'last-month', rows: 'tool' });
  expect(readUsageSearch({ span: 'decade', rows: ['tool'], q: 1 })).toEqual({});
  expect(readUsageSearch({ span: 'month', rows: 'project' })).toEqual({});
});
