import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as table from '@pydantic/genai-prices';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withTree } from '../../test/usage/trees.ts';
import { askPackage } from './price-plans.ts';
import { loadPrices, PRICE_TABLE } from './prices.ts';

const counts = (inputTokens: number, more: object = {}) => ({
  inputTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  ...more,
});

test('the date that is shown is that of the version that is installed', () => {
  const path = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const { version } = JSON.parse(readFileSync(join(path, '../../package.json'), 'utf8'));
  expect(PRICE_TABLE.source).toBe(`@pydantic/genai-prices ${version}`);
});

// Recorded from `ccusage 20.0.24 daily --json --offline`: 1,234 input, 567 output, 89,012 read, 3,456 and 789 written.
test.each([
  ['claude-opus-4-1-20250805', 0.283023],
  ['claude-fable-5', 0.188682],
  ['claude-opus-4-5-20251101', 0.094341],
  ['claude-opus-4-6', 0.094341],
  ['claude-opus-4-8', 0.094341],
  ['claude-sonnet-4-5-20250929', 0.0566046],
  ['claude-sonnet-4-20250514', 0.0566046],
  ['claude-sonnet-4-6', 0.0566046],
  ['claude-haiku-4-5-20251001', 0.0188682],
  ['claude-3-5-haiku-20241022', 0.01509456],
])('%s costs what others say, to 1e-6 USD', async (model, costUsd) => {
  const prices = await loadPrices([model]);
  const used = counts(1_234 + 89_012 + 3_456 + 789, {
    cacheReadTokens: 89_012,
    cacheWriteTokens: 3_456 + 789,
    cacheWrite1hTokens: 789,
    outputTokens: 567,
  });
  expect(prices.costOf(model, used, Date.UTC(2026, 10, 10))).toBeCloseTo(costUsd, 6);
});

test('any request costs what the package itself says: tiers, dates and all', async () => {
  const models = [
    'claude-opus-4-5-20251101',
    'claude-sonnet-4-5-20250929',
    'claude-opus-4-6',
    'claude-opus-5-5',
    'gpt-5-codex',
    'gemini-2.5-pro',
    'deepseek-chat',
  ];
  const prices = await loadPrices(models);
  const count = fc.oneof(fc.nat(5_000), fc.nat(400_000), fc.constantFrom(0, 200_000, 200_001));
  fc.assert(
    fc.property(
      fc.constantFrom(...models),
      fc.record({ fresh: count, read: count, write: count, hour: count, output: count }),
      fc.integer({ min: Date.UTC(2025, 8, 1), max: Date.UTC(2026, 11, 1) }),
      (model, { fresh, read, write, hour, output }, at) => {
        const used = counts(fresh + read + write, {
          cacheReadTokens: read,
          cacheWriteTokens: write,
          cacheWrite1hTokens: Math.min(hour, write),
          outputTokens: output,
        });
        const [ours, theirs] = [prices.costOf(model, used, at), askPackage(table, model, used, at)];
        if (theirs === undefined) expect(ours).toBeUndefined();
        else expect(ours).toBeCloseTo(theirs, 9);
      },
    ),
    { numRuns: 300 },
  );
});

test('a long request costs more for each token, and a mark behind the name changes nothing', async () => {
  const model = 'claude-sonnet-4-5-20250929';
  const prices = await loadPrices([model, `${model}[1m]`]);
  expect(prices.costOf(model, counts(200_000), null)).toBeCloseTo(0.6, 9);
  expect(prices.costOf(model, counts(200_001), null)).toBeCloseTo(1.200006, 9);
  expect(prices.costOf(`${model}[1m]`, counts(200_001), null)).toBeCloseTo(1.200006, 9);
});

test('a model that nobody knows has no price, whatever it is called', async () => {
  const names = ['local-model', 'constructor', '__proto__', ''];
  const prices = await loadPrices(names);
  for (const name of [...names, null]) expect(prices.costOf(name, counts(5), null)).toBeUndefined();
});

test('what was learnt is kept for the next time, and only for the same table', async () => {
  await withTree(new Map(), async (folder) => {
    const file = join(folder, 'prices.json');
    await loadPrices(['claude-opus-4-5', 'nobody'], file);
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    expect(kept.plans.map(([model]: [string]) => model)).toEqual(['claude-opus-4-5', 'nobody']);
    const { writeFileSync } = await import('node:fs');
    kept.plans[0][1].spans[0].tiers[0].rates[0] = 7;
    writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
    const again = await loadPrices(['claude-opus-4-5'], file);
    expect(again.costOf('claude-opus-4-5', counts(1), null)).toBe(7);
    writeFileSync(file, JSON.stringify({ ...kept, source: 'another' }), { mode: 0o600 });
    const fresh = await loadPrices(['claude-opus-4-5'], file);
    expect(fresh.costOf('claude-opus-4-5', counts(1_000_000), null)).toBeCloseTo(5, 9);
  });
});
