import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDecoder, createSummary } from '@tailrace/core';
import type { Command } from '../command.ts';
import { parseSpeed, STEADY_MS } from '../input/pace.ts';
import { writeOut } from '../input/write.ts';
import { createPalette } from '../printer/palette.ts';
import { createPrinter } from '../printer/printer.ts';
import { closingLines } from '../printer/report.ts';

/** `tailrace demo`: plays a recorded session in the terminal. */
export const command: Command = async (words) => {
  const { values } = parseArgs({
    args: [...words],
    options: { speed: { type: 'string' }, plain: { type: 'boolean' } },
  });
  const speed = parseSpeed(values.speed);
  // Nobody watches a file being written.
  const pause = process.stdout.isTTY && speed > 0 ? STEADY_MS / speed : 0;
  const recording = await readFile(new URL('./assets/demo.ndjson', import.meta.url.replace('/chunks/', '/')));
  const palette = createPalette(values.plain ? false : undefined);
  const printer = createPrinter(palette);
  const fold = createSummary();
  const decoder = createDecoder();
  const show = async (events: ReturnType<typeof decoder.feed>): Promise<void> => {
    for (const event of events) fold.add(event);
    await writeOut(events.map((event) => printer.print(event)).join(''));
  };
  for (let start = 0; start < recording.length; ) {
    const end = recording.indexOf(10, start) + 1 || recording.length;
    await show(decoder.feed(recording.subarray(start, end)));
    start = end;
    if (pause > 0) await wait(pause);
  }
  await show(decoder.end());
  await writeOut(printer.close() + closingLines(fold.summary(decoder.stats.lines), palette));
  return 0;
};
