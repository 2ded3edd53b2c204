import { defineConfig } from 'vitest/config';

// The full counts take their time.
const testTimeout = process.env['TAILRACE_PROOF'] === '1' ? 1_800_000 : 240_000;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'core',
          root: 'packages/core',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
          typecheck: { enabled: true, tsconfig: 'tsconfig.test.json', include: ['src/**/*.test-d.ts'] },
        },
      },
      {
        test: {
          name: 'protocol',
          root: 'packages/protocol',
          include: ['src/**/*.test.ts'],
          testTimeout,
        },
      },
      {
        test: {
          name: 'runner',
          root: 'packages/runner',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
          typecheck: { enabled: true, tsconfig: 'tsconfig.test.json', include: ['src/**/*.test-d.ts'] },
        },
      },
      {
        test: {
          name: 'store',
          root: 'packages/store',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
        },
      },
      {
        test: {
          name: 'server',
          root: 'packages/server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
        },
      },
      {
        test: {
          name: 'client',
          root: 'packages/client',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
          testTimeout,
        },
      },
      {
        test: {
          name: 'command',
          root: 'packages/cli',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
        },
      },
      {
        test: { name: 'web', root: 'packages/web', include: ['src/**/*.test.{ts,tsx}'], testTimeout },
      },
      { test: { name: 'workspace', root: '.', include: ['test/*.test.ts'], testTimeout } },
      { test: { name: 'browser', root: '.', include: ['test/browser/**/*.test.ts'], testTimeout } },
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
