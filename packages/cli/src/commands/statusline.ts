import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { countedTranscripts } from '@tailrace/core';
import { createZone, loadPrices, reportUsage, scanUsage } from '@tailrace/store';
import type { Command } from '../command.ts';
import { dataFolder } from '../home.ts';
import { writeOut } from '../input/write.ts';
import { transcriptFolders } from '../usage/roots.ts';
import { statusLine } from '../usage/status-line.ts';

/** A block that runs now began at most five hours ago; what it began after may be some time longer ago. */
const LOOK_BACK_MS = 2 * 86_400_000;

/** `tailrace statusline`: one line for the agent's own status bar. It never fails: at worst the line is empty. */
export const command: Command = async () => {
  let line = '';
  try {
    line = await makeLine(await text(process.stdin));
  } catch {
    // Nothing is worth a broken status bar.
  }
  await writeOut(`${line}\n`);
  return 0;
};

async function makeLine(input: string): Promise<string> {
  const payload: unknown = JSON.parse(input);
  const facts = countedTranscripts.flatMap(({ usage }) => usage.readStatus?.(payload) ?? [])[0];
  if (!facts) return '';
  const now = Date.now();
  const zone = createZone();
  const cache = join(dataFolder(), 'statusline-cache');
  const dirs = transcriptFolders();
  const { entries, models } = await scanUsage({ dirs, cache, workers: 0, changedSince: now - LOOK_BACK_MS });
  const prices = await loadPrices(models, join(dataFolder(), 'price-cache.json'));
  const today = zone.dayOf(now);
  const common = { zone, prices, now };
  return statusLine(facts, {
    today: reportUsage(entries, { ...common, by: 'day', since: today, until: today }).totals,
    block: reportUsage(entries, { ...common, by: 'block' }).rows.find((row) => row.isActive),
    session: reportUsage(
      [...entries].filter(({ sessionId }) => sessionId === facts.sessionId),
      { ...common, by: 'session' },
    ).totals,
  });
}
