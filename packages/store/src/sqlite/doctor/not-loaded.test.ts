// Where the native part of better-sqlite3 was not built.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { checkStore } from './check.ts';

vi.mock('better-sqlite3', () => ({
  default: class {
    constructor() {
      throw new Error('Could not locate the bindings file. Tried:\n → here\n → there');
    }
  },
}));

test('a store that could not be made is a problem before anybody wants one, told in a line', async () => {
  const { isGood, findings } = await checkStore(join(tmpdir(), 'tailrace-not-there', 'tailrace.db'));
  expect(isGood).toBe(false);
  expect(findings).toMatchObject([{ level: 'problem', code: 'unavailable' }, { code: 'not-found' }]);
  expect(findings[0]?.message).toMatch(
    /^History needs better-sqlite3.* Could not locate the bindings file\..*npm rebuild/,
  );
  expect(findings[0]?.message).not.toContain('\n');
});
