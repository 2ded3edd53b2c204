import { defineConfig } from 'vitest/config';

// Only the tests of the folders that are mutated: each mutant runs them all.
export default defineConfig({
  test: {
    include: [
      'packages/core/src/lines/*.test.ts',
      'packages/core/src/accounting/*.test.ts',
      // Whatever gives bytes is read by these.
      'packages/core/src/streams/*.test.ts',
    ],
    env: { TAILRACE_PROOF: 'mutants' },
    testTimeout: 15_000,
  },
});
