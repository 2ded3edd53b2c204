import { createSummary } from '@tailrace/core';
import type { Command } from '../command.ts';
import { parseStreamOptions } from '../input/options.ts';
import { readEvents } from '../input/run.ts';
import { writeOut } from '../input/write.ts';
import { createPalette } from '../printer/palette.ts';
import { describeSummary } from '../printer/report.ts';

/** `tailrace summary`: what happened, for people or as one JSON object. */
export const command: Command = async (words) => {
  const options = parseStreamOptions(words);
  const fold = createSummary();
  let lines = 0;
  let failure: unknown;
  try {
    const decoder = await readEvents(options, (events) => {
      for (const event of events) fold.add(event);
    });
    lines = decoder.stats.lines;
  } catch (error) {
    failure = error;
  }
  if (failure !== undefined) throw failure;
  const summary = fold.summary(lines);
  const palette = createPalette(options.plain ? false : undefined);
  await writeOut(options.json ? `${JSON.stringify(summary)}\n` : describeSummary(summary, palette));
  return options.exitStatus && summary.outcome !== 'success' ? 1 : 0;
};
