import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createZone, daysInMonth, weekOf } from './zone.ts';

describe.each([
  'UTC',
  'Europe/Zurich',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'America/St_Johns',
])('%s', (name) => {
  const zone = createZone(name);
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: name,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });

  test('has the days that Intl has, also where clocks change', () => {
    const near = [
      Date.UTC(2026, 2, 29),
      Date.UTC(2026, 9, 25),
      Date.UTC(2026, 2, 8),
      Date.UTC(2026, 10, 1),
      Date.UTC(2026, 3, 5),
    ];
    const time = fc.oneof(
      fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
      fc
        .record({ day: fc.constantFrom(...near), by: fc.integer({ min: -90_000_000, max: 90_000_000 }) })
        .map(({ day, by }) => day + by),
    );
    fc.assert(
      fc.property(time, (one) => {
        expect(zone.dayOf(one)).toBe(format.format(one));
      }),
      { numRuns: 400 },
    );
  });

  test('begins a day with its first moment', () => {
    for (const day of ['2026-01-01', '2026-03-29', '2026-10-25', '2026-11-01', '2026-11-15']) {
      const begin = zone.beginOf(day);
      expect([zone.dayOf(begin), zone.dayOf(begin - 1) < day]).toEqual([day, true]);
    }
  });
});

test('without a name it is that of the machine', () => {
  const own = createZone();
  const named = createZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
  for (let time = Date.UTC(2026, 0); time < Date.UTC(2027, 0); time += 5_000_000)
    expect(own.dayOf(time)).toBe(named.dayOf(time));
});

test('a zone that is not there is an error', () => {
  expect(() => createZone('Middle/Earth')).toThrow(RangeError);
});

test('weeks begin on Monday, and months have their days', () => {
  expect(['2026-11-15', '2026-11-16', '2026-01-01', '1969-12-31'].map(weekOf)).toEqual([
    '2026-11-09',
    '2026-11-16',
    '2025-12-29',
    '1969-12-29',
  ]);
  expect(['2026-02-10', '2028-02-29', '2026-12-31'].map(daysInMonth)).toEqual([28, 29, 31]);
});
