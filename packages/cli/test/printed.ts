// Events as they are printed, in one piece and without colour.

import { createMarkdown } from '../src/printer/markdown.ts';
import { createPalette } from '../src/printer/palette.ts';
import { createPrinter, type PrinterOptions } from '../src/printer/printer.ts';
import { eventsOf } from './fields.ts';

const palette = createPalette(false);
const markdown = createMarkdown(palette);

export type Drafts = Parameters<typeof eventsOf>[0];

export function printed(drafts: Drafts, options: PrinterOptions = {}): string {
  const printer = createPrinter(palette, { markdown, columns: 60, ...options });
  return (
    eventsOf(drafts)
      .map((event) => printer.print(event))
      .join('') + printer.close()
  );
}
