import { createSummary } from '@tailrace/core';
import type { Command } from '../command.ts';
import { parseStreamOptions } from '../input/options.ts';
import { readEvents } from '../input/run.ts';
import { writeOut } from '../input/write.ts';
import { createPalette } from '../printer/palette.ts';
import { createPrinter } from '../printer/printer.ts';
import { closingLines } from '../printer/report.ts';

/** `tailrace view` and `… | tailrace`: a stream as people read it, live. */
export const command: Command = async (words) => {
  const options = parseStreamOptions(words);
  const palette = createPalette(options.plain ? false : undefined);
  const printer = createPrinter(palette);
  const fold = createSummary();
  const decoder = await readEvents(options, (events) => {
    let text = '';
    for (const event of events) {
      fold.add(event);
      if (!options.quiet) text += printer.print(event);
    }
    return writeOut(text);
  });
  const summary = fold.summary(decoder.stats.lines);
  await writeOut(printer.close() + closingLines(summary, palette));
  return options.exitStatus && summary.outcome !== 'success' ? 1 : 0;
};
