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
