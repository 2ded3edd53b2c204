import { createSummary } from '@tailrace/core';
import type { Command } from '../command.ts';
import { parseStreamOptions } from '../input/options.ts';
import { openInput } from '../input/session.ts';
import { writeOut } from '../input/write.ts';
import { createPalette } from '../printer/palette.ts';
import { createPrinter } from '../printer/printer.ts';
import { closingLines } from '../printer/report.ts';

/** `tailrace view` and `… | tailrace`: a stream as people read it, live. With `--json` it is `tailrace events`. */
export const command: Command = async (words) => {
  const options = parseStreamOptions(words, ['json', 'plain', 'quiet', 'record', 'no-redact']);
  if (options.json) {
    const events = await import('./events.ts');
    return events.command(words.filter((word) => word !== '--plain' && word !== '--quiet' && word !== '--no-redact'));
  }
  const palette = createPalette(options.plain ? false : undefined);
  const printer = createPrinter(palette, { redact: options.redact });
  const input = await openInput(options);
  const fold = createSummary({ ledger: input.ledger });
  const { lines, failure } = await input.read((events) => {
    let text = '';
    for (const event of events) {
      fold.add(event);
      if (!options.quiet) text += printer.print(event);
    }
    return writeOut(text);
  });
  const summary = fold.summary(lines);
  await writeOut(printer.close() + closingLines(summary, palette, options));
  if (failure) throw failure;
  return options.exitStatus && summary.outcome !== 'success' ? 1 : 0;
};
