import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.ts';

test('a cursor comes back as it went', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.maxSafeNat(), (epoch, steps) => {
      const position = steps / 65_536;
      expect(decodeCursor(encodeCursor({ epoch, position }))).toEqual({ epoch, position });
    }),
  );
});

test('it remembers where somebody began anew, as long as they have not come that far', () => {
  const cursor = { epoch: 'e', position: 3, fresh: 7.5 };
  expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
  expect(encodeCursor({ epoch: 'e', position: 8, fresh: 7.5 })).toBe(encodeCursor({ epoch: 'e', position: 8 }));
});

test('what is no cursor is nothing', () => {
  for (const text of ['', '.', 'e', 'e.', '.1', 'e.-1', 'e.01', 'e.A', 'e.1 ', 'e.zzzzzzzzzzz', 'e.1.'])
    expect(decodeCursor(text)).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (text) => {
      const cursor = decodeCursor(text);
      if (cursor) expect(encodeCursor(cursor)).toBe(text);
    }),
  );
});
