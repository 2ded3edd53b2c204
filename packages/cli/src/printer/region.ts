// The end of a terminal: what is printed goes out in order and stands for good; below it are a few rows that are drawn anew, and one
// that tells what goes on. Nothing above them is ever touched. Everything waits while a question is open.

import { fitTo, widthOf } from './width.ts';

export interface Region {
  /** Text that stands for good; whole lines, but for the model's words as they come. */
  write(text: string): void;
  /** Rows below it; drawn with whatever comes next. */
  live(rows: readonly string[]): void;
  /** What the last line tells; nothing: no such line. `written` goes out before it. It is dim, unless it is painted otherwise. */
  status(text: string, written?: string, paint?: (text: string) => string): void;
  /** Until `release`, text is kept back: somebody is being asked. */
  hold(): void;
  release(): void;
  /** Takes the rows away for good. */
  close(): void;
}

export interface RegionOutput {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
}

const CLEAR_BELOW = '\u001b[J';
const CLEAR_ROW = '\u001b[K';
const UP = '\u001b[A';

/** `isLive`: it is a terminal, whose last rows can be written anew. */
export function createRegion(output: RegionOutput, isLive: boolean, dim: (text: string) => string): Region {
  let kept: string | undefined;
  /** What is drawn now, and what is wanted. */
  let drawn: readonly string[] = [];
  let rows: readonly string[] = [];
  let status = '';
  let paintStatus = dim;
  let atLineStart = true;

  /** Back to where the rows begin, all of them gone. A row may have become several when the window became narrower. */
  function clearing(): string {
    if (drawn.length === 0) return '';
    const columns = width();
    const up = drawn.reduce((sum, row) => sum + Math.max(1, Math.ceil(widthOf(row) / columns)), 0) - 1;
    drawn = [];
    // Everything below the first row of a screen is not everything: tmux would put that into its history, frame by frame.
    if (up === 0) return `\r${CLEAR_ROW}`;
    return `\r${up > 1 ? `\u001b[${up - 1}A` : ''}${CLEAR_BELOW}${UP}${CLEAR_ROW}`;
  }

  function width(): number {
    return Math.max(1, output.columns || 80);
  }

  /** What is wanted, as far as the window can show it: the newest rows. */
  function wanted(): readonly string[] {
    if (!isLive || kept !== undefined || !atLineStart) return [];
    const most = Math.max(1, (output.rows || 24) - 2);
    const all = status === '' ? rows : [...rows, paintStatus(fitTo(status, width() - 1))];
    return all.slice(-most);
  }

  function draw(text: string): void {
    const next = wanted();
    if (text === '' && next.length === drawn.length && next.every((row, at) => row === drawn[at])) return;
    const clear = clearing();
    if (text !== '') atLineStart = text.endsWith('\n');
    const shown = text === '' ? next : wanted();
    const out = clear + text + shown.join('\n');
    drawn = shown;
    if (out !== '') output.write(out);
  }

  return {
    write(text) {
      if (text === '') return draw('');
      if (kept === undefined) draw(text);
      else kept += text;
    },
    live(next) {
      rows = next;
    },
    status(text, written = '', paint = dim) {
      status = text;
      paintStatus = paint;
      this.write(written);
    },
    hold() {
      rows = [];
      kept ??= '';
      // Whoever asks begins a line, and would wipe out what stands on it.
      const out = clearing() + (atLineStart ? '' : '\n');
      atLineStart = true;
      if (out !== '') output.write(out);
    },
    release() {
      const text = kept ?? '';
      kept = undefined;
      atLineStart = true;
      draw(text);
    },
    close() {
      status = '';
      rows = [];
      draw('');
    },
  };
}
