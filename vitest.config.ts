import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'core',
          root: 'packages/core',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout: 120_000,
          typecheck: { enabled: true, tsconfig: 'tsconfig.test.json', include: ['src/**/*.test-d.ts'] },
        },
      },
      {
        test: {
          name: 'command',
          root: 'packages/cli',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout: 240_000,
        },
      },
      { test: { name: 'workspace', root: '.', include: ['test/**/*.test.ts'], testTimeout: 120_000 } },
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/core/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.test-d.ts', '**/*.d.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { 'packages/core/src/**': { lines: 95 } },
    },
  },
});
