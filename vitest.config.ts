import { defineConfig } from 'vitest/config';

// The full counts take their time.
const testTimeout = process.env['TAILRACE_PROOF'] === '1' ? 1_800_000 : 240_000;

/** Whoever waits for something to come waits until it is there: a busy machine is no fault. */
const expect = { poll: { timeout: 60_000 } };

export default defineConfig({
  test: {
    // Much of the time is other processes' and waiting.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'core',
          root: 'packages/core',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
          expect,
          typecheck: { enabled: true, tsconfig: 'tsconfig.test.json', include: ['src/**/*.test-d.ts'] },
        },
      },
      {
        test: {
          name: 'protocol',
          root: 'packages/protocol',
          include: ['src/**/*.test.ts'],
          testTimeout,
          expect,
        },
      },
      {
        test: {
          name: 'runner',
          root: 'packages/runner',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
          expect,
          typecheck: { enabled: true, tsconfig: 'tsconfig.test.json', include: ['src/**/*.test-d.ts'] },
        },
      },
      {
        test: {
          name: 'store',
          root: 'packages/store',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
          expect,
        },
      },
      {
        test: {
          name: 'server',
          root: 'packages/server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout,
          expect,
        },
      },
      {
        test: {
          name: 'client',
          root: 'packages/client',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
          testTimeout,
          expect,
        },
      },
      {
        test: {
          name: 'electron',
          root: 'packages/electron',
          include: ['src/**/*.test.ts', 'test/**/*.test.{ts,tsx}'],
          testTimeout,
          expect,
          typecheck: { enabled: true, tsconfig: 'tsconfig.test.json', include: ['src/**/*.test-d.ts'] },
        },
      },
      {
        test: {
          name: 'command',
          root: 'packages/cli',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
          testTimeout,
          expect,
        },
      },
      {
        test: { name: 'web', root: 'packages/web', include: ['src/**/*.test.{ts,tsx}'], testTimeout, expect },
      },
      { test: { name: 'workspace', root: '.', include: ['test/*.test.ts'], testTimeout, expect } },
      { test: { name: 'browser', root: '.', include: ['test/browser/**/*.test.ts'], testTimeout, expect } },
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
