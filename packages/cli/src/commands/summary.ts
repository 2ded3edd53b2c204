import { createSummary } from '@tailrace/core';
import type { Command } from '../command.ts';
import { parseStreamOptions } from '../input/options.ts';
import { openInput } from '../input/session.ts';
import { writeOut } from '../input/write.ts';
import { createPalette } from '../printer/palette.ts';
import { describeSummary } from '../printer/report.ts';

/** `tailrace summary`: what happened, for people or as one JSON object. */
export const command: Command = async (words) => {
  const options = parseStreamOptions(words, ['json', 'plain', 'no-redact']);
  const input = await openInput(options);
  const fold = createSummary({ ledger: input.ledger });
  const { lines, failure } = await input.read((events) => {
    for (const event of events) fold.add(event);
  });
  const summary = fold.summary(lines);
  const palette = createPalette(options.plain ? false : undefined);
  await writeOut(options.json ? `${JSON.stringify(summary)}\n` : describeSummary(summary, palette, options));
  if (failure) throw failure;
  return options.exitStatus && summary.outcome !== 'success' ? 1 : 0;
};
