import { createLedger, createSummary, type SummaryFold } from '@tailrace/core';
import type { Command } from '../command.ts';
import { UsageError } from '../failure.ts';
import type { FileTurn } from '../input/follow.ts';
import { parseStreamOptions } from '../input/options.ts';
import { openInput } from '../input/session.ts';
import { createFlatView } from '../printer/flat.ts';
import { createGate } from '../printer/gate.ts';
import { parseKinds } from '../printer/kinds.ts';
import { createOpening } from '../printer/opening.ts';
import { createPalette } from '../printer/palette.ts';
import { closingLines } from '../printer/report.ts';
import { screenWidth } from '../printer/screen.ts';
import type { View } from '../printer/view.ts';

/** What only says how it is shown: without meaning for events. */
const SHOWING = ['plain', 'quiet', 'no-redact', 'full', 'notify'] as const;

/** `tailrace view` and `… | tailrace`: a stream as people read it, live. With `--json` it is `tailrace events`. */
export const command: Command = async (words) => {
  const options = parseStreamOptions(words, [...SHOWING, 'json', 'record', 'only', 'follow']);
  if (options.json) {
    const events = await import('./events.ts');
    return events.command(words.filter((word) => !SHOWING.some((flag) => word === `--${flag}`)));
  }
  if (options.follow && options.file === '-') throw new UsageError('--follow wants a file that grows');
  const only = parseKinds(options.only);
  const palette = createPalette(options.plain ? false : undefined);
  const interrupt = onInterrupt(options.follow);
  const input = await openInput({ ...options, until: options.follow ? interrupt.signal : undefined, onTurn });
  const isLive = process.stdout.isTTY === true && !options.plain && process.env['TERM'] !== 'dumb';
  const createView = isLive ? (await import('../printer/live.ts')).createLiveView : createFlatView;
  let { view, fold } = begin();
  interrupt.onPress(() => view.say('stopping · Ctrl-C again to leave'));
  const { lines, failure } = await input.read((events) => view.show(events));
  const summary = fold.summary(lines);
  const isClosed = only === undefined || only.has('summary');
  const closing = closingLines(summary, palette, {
    ...options,
    columns: screenWidth(),
    estimatedUsd: view.estimatedUsd?.(),
    changed: view.changed,
    told: view.told,
    isKept: input.isRecorded && summary.cwd !== null,
    hasHistory: input.isRecorded || !options.record,
  });
  await view.close(isClosed ? closing : '', summary.outcome === 'success' ? 'done' : summary.outcome);
  if (failure) throw failure;
  if (interrupt.signal.aborted) return 130;
  return options.exitStatus && summary.outcome !== 'success' ? 1 : 0;

  /** One session: nothing of another one is on its page or in its figures. */
  function begin(): { readonly view: View; readonly fold: SummaryFold } {
    const ledger = input.ledger ?? createLedger();
    const fold = createSummary({ ledger });
    const view = createView(palette, {
      ...options,
      only,
      ledger,
      hear: (event) => fold.add(event),
      opening: createOpening(palette, createGate(options)),
      spent: (taskId) => ledger.subagents().get(taskId),
    });
    return { view, fold };
  }

  /** Something happened to the file that is followed. */
  async function onTurn(turn: FileTurn): Promise<void> {
    await view.note(TURNS[turn]);
    if (turn === 'gone') return;
    await view.close('\n');
    ({ view, fold } = begin());
  }
};

const TURNS: Readonly<Record<FileTurn, string>> = {
  anew: '── the file was written anew, and is read from its beginning ──',
  gone: '── the file was removed; should it come back, it is read from its beginning ──',
};

interface Interrupt {
  readonly signal: AbortSignal;
  onPress(tell: () => void): void;
}

/**
 * The first Ctrl-C also reaches the agent at the other end of the pipe: what it says before it ends, and what it cost, is still shown.
 * The second one leaves at once. Without a terminal there is nobody to press it twice.
 */
function onInterrupt(isFollowing: boolean): Interrupt {
  const aborter = new AbortController();
  let tell = (): void => {};
  if (isFollowing || process.stdout.isTTY) {
    process.removeAllListeners('SIGINT');
    process.on('SIGINT', () => {
      if (aborter.signal.aborted) process.exit(130);
      aborter.abort();
      tell();
    });
  }
  return {
    signal: aborter.signal,
    onPress(then) {
      tell = then;
    },
  };
}
