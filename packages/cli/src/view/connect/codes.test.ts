import { CODE_MS } from '@tailrace/server';
import { afterEach, expect, test, vi } from 'vitest';
import { createCodes } from './codes.ts';

afterEach(() => void vi.useRealTimers());

test('a code is told until somebody came in with it, or until it is too old', () => {
  vi.useFakeTimers();
  const codes = createCodes();
  let told = 0;
  codes.subscribe(() => told++);
  codes.show('ABCD2345', true);
  expect(codes.getSnapshot()).toMatchObject({ text: 'ABCD2345', isAsked: true });
  codes.used();
  expect(codes.getSnapshot()).toBeUndefined();
  codes.show('EFGH2345', false);
  vi.advanceTimersByTime(CODE_MS - 1);
  // The next one has a time of its own.
  codes.show('JKLM2345', true);
  vi.advanceTimersByTime(CODE_MS - 1);
  expect(codes.getSnapshot()?.text).toBe('JKLM2345');
  vi.advanceTimersByTime(1);
  expect(codes.getSnapshot()).toBeUndefined();
  expect(told).toBe(5);
});
