// A stream on a terminal, live: what is printed, what goes on below it, and the clock. Loaded only where there is a terminal.

import { createProgress } from '@tailrace/core';
import { createEstimate } from './estimate.ts';
import { createLineCounter } from './line-count.ts';
import { createMarkdown } from './markdown.ts';
import type { Palette } from './palette.ts';
import { createPrinter } from './printer.ts';
import { createRegion } from './region.ts';
import { QUIET_MS } from './screen.ts';
import { createSignals } from './signals.ts';
import { statusText } from './status.ts';
import type { View, ViewOptions } from './view.ts';

/** What changes below is drawn at most so often, in milliseconds. */
const DRAW_MS = 40;

/** What is over sooner does not wait for the table of prices. */
const ESTIMATE_MS = 1_000;

export function createLiveView(palette: Palette, options: ViewOptions): View {
  const { stdout } = process;
  const printer = createPrinter(palette, {
    ...options,
    markdown: createMarkdown(palette),
    columns: stdout.columns,
    now: Date.now,
  });
  const region = createRegion(stdout, true, palette.dim);
  const signals = createSignals((text) => stdout.write(text), process.env);
  const progress = createProgress();
  const counter = createLineCounter();
  const estimate = createEstimate(async (models) => (await import('./prices.ts')).loadPrices(models));
  const start = Date.now();
  const estimateBy = (now: number): typeof estimate | undefined => (now - start < ESTIMATE_MS ? undefined : estimate);
  let said = '';
  let drawnAt = 0;
  let drawing: NodeJS.Timeout | undefined;
  let quiet: NodeJS.Timeout | undefined;

  function draw(text: string): void {
    clearTimeout(drawing);
    drawing = undefined;
    drawnAt = Date.now();
    // The stream's own times tell how far it is: a recording is played at another hour.
    const state = progress.progress();
    if (!options.quiet) region.live(printer.live());
    const isWaiting = said === '' && state.phase.startsWith('waiting');
    region.status(
      said || statusText(state, options.ledger, drawnAt - start, estimateBy(drawnAt)),
      text,
      isWaiting ? palette.waiting : undefined,
    );
    const about = options.opening.about();
    signals.title(about === '' ? state.phase : `${state.phase} · ${about}`);
    signals.progress(state);
  }

  function drawSoon(): void {
    const wait = drawnAt + DRAW_MS - Date.now();
    if (wait <= 0) draw('');
    else drawing ??= setTimeout(() => draw(''), wait);
  }

  const clock = setInterval(() => draw(''), 1_000);
  const onResize = (): void => {
    printer.resize(stdout.columns);
    draw('');
  };
  stdout.on('resize', onResize);
  /** Whatever ends the process, the terminal is left as it was. */
  const leave = (): void => {
    region.close();
    signals.close();
  };
  process.once('exit', leave);

  return {
    changed: options.quiet ? counter.lines : printer.changed,
    told: printer.told,
    show(events) {
      let text = '';
      for (const event of events) {
        options.hear(event);
        progress.add(event);
        if (options.quiet) counter.add(event);
        else text += printer.print(event);
        if (options.notify && ASKED.has(event.type)) signals.call('waiting for you');
      }
      text += options.quiet ? '' : printer.flush();
      clearTimeout(quiet);
      if (printer.isPending) quiet = setTimeout(() => draw(printer.endLine()), QUIET_MS);
      if (text === '') drawSoon();
      else draw(text);
    },
    note: (text) => draw(options.quiet ? '' : printer.note(text)),
    say(text) {
      said = text;
      draw('');
    },
    estimatedUsd: () => estimateBy(Date.now())?.costUsd(options.ledger),
    close(closing, called) {
      clearInterval(clock);
      clearTimeout(drawing);
      clearTimeout(quiet);
      stdout.off('resize', onResize);
      process.off('exit', leave);
      leave();
      stdout.write(options.quiet ? closing.trimStart() : printer.close() + closing);
      if (options.notify && called !== undefined) signals.call(called);
    },
  };
}

const ASKED: ReadonlySet<string> = new Set(['permission-request', 'question-request']);
