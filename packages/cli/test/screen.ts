// A capture as it is printed, without a terminal: what `tailrace view` does, in this process.

import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDecoder, createLedger, createSummary } from '@tailrace/core';
import { createMarkdown } from '../src/printer/markdown.ts';
import { createPalette } from '../src/printer/palette.ts';
import { createPrinter, type PrinterOptions } from '../src/printer/printer.ts';
import { closingLines } from '../src/printer/report.ts';

export const fixturesFolder: string = fileURLToPath(new URL('../../../fixtures/', import.meta.url));

export interface ScreenOptions extends PrinterOptions {
  readonly isColoured?: boolean;
  /** So many bytes are fed at a time. */
  readonly chunk?: number;
}

export function screenOf(bytes: Uint8Array, options: ScreenOptions): string {
  const decoder = createDecoder();
  const ledger = createLedger();
  const fold = createSummary({ ledger });
  const palette = createPalette(options.isColoured ?? false);
  const printer = createPrinter(palette, {
    markdown: createMarkdown(palette),
    ...options,
    spent: (taskId) => ledger.subagents().get(taskId),
  });
  let text = '';
  const chunk = options.chunk ?? bytes.length;
  for (let at = 0; at <= bytes.length; at += chunk) {
    const isEnd = at + chunk > bytes.length || chunk === 0;
    const events = [...decoder.feed(bytes.subarray(at, at + chunk)), ...(isEnd ? decoder.end() : [])];
    for (const event of events) {
      fold.add(event);
      text += printer.print(event);
    }
    text += printer.flush();
    if (isEnd) break;
  }
  const summary = fold.summary(decoder.stats.lines);
  return (
    text +
    printer.close() +
    closingLines(summary, palette, { ...options, changed: printer.changed, told: printer.told })
  );
}

/** The captures of an agent, in the order of their names. */
export function capturesOf(agent: string): readonly { readonly name: string; readonly path: string }[] {
  const folder = `${fixturesFolder}${agent}/`;
  return readdirSync(folder)
    .flatMap((version) => readdirSync(`${folder}${version}`).map((file) => `${folder}${version}/${file}`))
    .filter((path) => path.endsWith('.ndjson') && !path.endsWith('.stdin.ndjson'))
    .map((path) => ({ name: basename(path, '.ndjson'), path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function readCapture(path: string): Uint8Array {
  return readFileSync(path);
}
