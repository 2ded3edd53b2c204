import { defineConfig } from 'vitest/config';

// Only the tests of the folders that are mutated: each mutant runs them all.
export default defineConfig({
  test: {
    include: ['packages/core/src/lines/*.test.ts', 'packages/core/src/accounting/*.test.ts'],
    env: { TAILRACE_PROOF: 'mutants' },
    testTimeout: 15_000,
  },
});
