import { describe, expect, test } from 'vitest';
import { shortId } from './short-id.ts';

describe('what a person types to mean a session', () => {
  test('is the beginning of an id that is random', () => {
    expect(shortId('0fb1859f-6a1d-4740-9d5c-a23e4b765885')).toBe('0fb1859f');
    expect(shortId('0FB1859F-6A1D-4740-9D5C-A23E4B765885')).toBe('0FB1859F');
  });

  test.each([
    'ses_4f2a1b8c9ffeXyZ0123456789a',
    'session_0123456789abcdef',
    // Its first half is the time.
    '019a8f0e-6a1d-7740-9d5c-a23e4b765885',
    '20261116_1',
    '',
  ])('is the whole of an id that begins as others do: %s', (id) => {
    expect(shortId(id)).toBe(id);
  });
});
