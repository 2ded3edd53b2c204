// A stream into a pipe or a file: text goes out as it comes, and nothing is ever rewritten. The first line is out before the rest of
// the printer is loaded.

import type { AgentStreamEvent } from '@tailrace/core';
import { writeOut } from '../input/write.ts';
import { fitLine } from './clean.ts';
import { createLineCounter } from './line-count.ts';
import { isQuiet } from './opening.ts';
import type { Palette } from './palette.ts';
import type { Printer } from './printer.ts';
import { QUIET_MS, screenWidth } from './screen.ts';
import type { View, ViewOptions } from './view.ts';

/** Nothing in the line is wider than one column. */
const NARROW = { width: (text: string): number => text.length, fit: fitLine };

/** More events than that are not kept until there is something to print. */
const MOST_HELD = 100;
/** Where nobody tells a width. */
const WITHOUT_TERMINAL = 100;

export function createFlatView(palette: Palette, options: ViewOptions): View {
  const { opening, quiet: isSilent } = options;
  const columns = screenWidth(WITHOUT_TERMINAL);
  const counter = createLineCounter();
  let printer: Printer | undefined;
  let held: AgentStreamEvent[] = [];
  let quiet: NodeJS.Timeout | undefined;
  let hasWritten = false;

  async function write(text: string): Promise<void> {
    hasWritten ||= text !== '';
    await writeOut(text);
  }

  /** Whoever is called has a terminal, though not for what is printed. */
  async function call(text: string): Promise<void> {
    if (!options.notify || !process.stderr.isTTY) return;
    const { callOn } = await import('./signals.ts');
    callOn([process.stderr], text);
  }

  async function load(event: AgentStreamEvent): Promise<Printer> {
    if (!options.only && opening.isNarrow()) await write(opening.add(event, columns, NARROW));
    const { createPrinter } = await import('./printer.ts');
    const markdown = options.plain ? undefined : (await import('./markdown.ts')).createMarkdown(palette);
    return createPrinter(palette, { ...options, columns, markdown });
  }

  async function show(events: readonly AgentStreamEvent[]): Promise<void> {
    let text = '';
    clearTimeout(quiet);
    for (const event of events) {
      options.hear(event);
      if (event.type === 'permission-request' || event.type === 'question-request') await call('waiting for you');
      if (isSilent) counter.add(event);
      if (isSilent) continue;
      if (!printer) {
        if (isQuiet(event) && held.length < MOST_HELD) {
          opening.add(event, columns, NARROW);
          held.push(event);
          continue;
        }
        printer = await load(event);
        for (const earlier of held) text += printer.print(earlier);
        held = [];
      }
      text += printer.print(event);
    }
    text += printer?.flush() ?? '';
    if (printer?.isPending) quiet = setTimeout(() => process.stdout.write(printer?.endLine() ?? ''), QUIET_MS);
    await write(text);
  }

  return {
    show,
    note: (text) => write(printer?.note(text) ?? (isSilent || options.only ? '' : `  ${palette.dim(text)}\n`)),
    say() {},
    async close(closing, called) {
      clearTimeout(quiet);
      // Where nothing stands above, nothing has to be kept apart from it.
      await write(printer?.close() ?? '');
      await write(hasWritten ? closing : closing.trimStart());
      if (called !== undefined) await call(called);
    },
    get changed() {
      return printer?.changed ?? counter.lines;
    },
    told: (message) => printer?.told(message) ?? false,
  };
}
