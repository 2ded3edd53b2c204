// The last line while a stream goes on: a cost that nobody has told yet is estimated, and says so.

import { readFileSync } from 'node:fs';
import { createDecoder, createLedger, createProgress, type Ledger } from '@tailrace/core';
import { loadPrices } from '@tailrace/store';
import { expect, test } from 'vitest';
import { fixtures } from '../../test/command.ts';
import { createEstimate } from './estimate.ts';
import { statusText } from './status.ts';

const lines = readFileSync(`${fixtures}tools-read-edit.ndjson`, 'utf8').trimEnd().split('\n');
const told = createProgress().progress();

/** What these lines have cost. */
function ledgerOf(some: readonly string[]): Ledger {
  const ledger = createLedger();
  for (const event of createDecoder().feed(Buffer.from(`${some.join('\n')}\n`))) ledger.add(event);
  return ledger;
}

test('a cost that no total tells yet is estimated by the table, with its mark', async () => {
  const loads: Promise<unknown>[] = [];
  const estimate = createEstimate((models) => {
    const prices = loadPrices(models);
    loads.push(prices);
    return prices;
  });
  const open = ledgerOf(lines.slice(0, -1));
  expect(statusText(told, open, 5_000, estimate)).not.toContain('$');
  await Promise.all(loads);
  expect(statusText(told, open, 5_000, estimate)).toMatch(/tokens · ~\$0\.\d{3,5} · 5 s$/);
  expect(loads).toHaveLength(1);
  // The agent's own total takes its place.
  expect(statusText(told, ledgerOf(lines), 5_000, estimate)).toMatch(/tokens · \$0\.020 · 5 s$/);
});

test('no price, no figure: of a model that nobody knows, and where there is no table', async () => {
  const open = ledgerOf(lines.slice(0, -1));
  for (const load of [async () => ({ costOf: () => undefined }), () => Promise.reject(new Error('no table'))]) {
    const estimate = createEstimate(load);
    estimate.costUsd(open);
    await new Promise(setImmediate);
    expect(estimate.costUsd(open)).toBeUndefined();
  }
});
