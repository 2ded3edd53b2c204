import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { showCost } from '@tailrace/core';
import { usageCsv } from '@tailrace/protocol';
import { loadPrices, PRICE_TABLE, reportUsage, type UsageReport } from '@tailrace/store';
import type { Command } from '../command.ts';
import { dataFolder } from '../home.ts';
import { writeOut } from '../input/write.ts';
import { createPalette } from '../printer/palette.ts';
import { screenWidth } from '../printer/screen.ts';
import { gatherUsage } from '../usage/gather.ts';
import { showLive } from '../usage/live.ts';
import { parseUsageOptions, type UsageOptions } from '../usage/options.ts';
import { showUsage } from '../usage/table.ts';

/** How long the live line stands before it is looked up again. */
const LIVE_MS = 5_000;

/** `tailrace usage`: what was used and what it cost, sub-agents included, from the agents' own files and from the store. */
export const command: Command = async (words) => {
  const options = parseUsageOptions(words);
  if (options.live) return live(options);
  const report = await makeReport(options);
  await writeOut(textOf(report, options));
  return warn(report, options.warnAt);
};

async function makeReport(options: UsageOptions): Promise<UsageReport> {
  const { by, zone, since, until, project, model } = options;
  const { entries, models, names } = await gatherUsage({
    ...options,
    warn: (message) => process.stderr.write(`tailrace: ${message}\n`),
  });
  const prices = await loadPrices(models, join(dataFolder(), 'price-cache.json'));
  return reportUsage(entries, { by, zone, prices, now: Date.now(), since, until, project, model, names });
}

function textOf(report: UsageReport, { format, locale, plain }: UsageOptions): string {
  if (format === 'csv') return usageCsv(report);
  if (format === 'json') {
    const { by, totals, rows, unpriced, month } = report;
    const { source, date } = PRICE_TABLE;
    return `${JSON.stringify({ by, totals, rows, prices: { source, date }, unpriced, ...(month && { month }) })}\n`;
  }
  return showUsage(report, { width: screenWidth(), locale, palette: createPalette(plain ? false : undefined) });
}

/** Whoever sets a limit wants a script to notice: 1 when it is reached. */
function warn({ totals }: UsageReport, limit: number | undefined): number {
  const { costUsd, costState } = totals;
  if (limit === undefined || costUsd === null || costUsd < limit) return 0;
  process.stderr.write(`tailrace: ${showCost(costUsd, costState)} were spent, which is not below $${limit}\n`);
  return 1;
}

async function live(options: UsageOptions): Promise<number> {
  const stop = new AbortController();
  await showLive({
    report: () => makeReport({ ...options, by: 'block' }),
    isTerminal: process.stdout.isTTY === true,
    write: writeOut,
    signal: stop.signal,
    wait: () => sleep(LIVE_MS),
  });
  return 0;
}
