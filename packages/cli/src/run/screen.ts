// The terminal while a run is shown: text goes out in order, one line at the bottom tells what goes on, and everything waits while
// a question is open.

export interface Screen {
  write(text: string): void;
  /** What the last line tells; nothing: no such line. */
  status(text: string): void;
  /** Until `release`, text is kept back: somebody is being asked. */
  hold(): void;
  release(): void;
  /** Takes the last line away for good. */
  close(): void;
}

const CLEAR_LINE = '\r\u001b[2K';

export interface ScreenOutput {
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** `isLive`: it is a terminal, whose last line can be written anew. */
export function createScreen(output: ScreenOutput, isLive: boolean): Screen {
  let kept: string | undefined;
  let shown = '';
  let wanted = '';
  let atLineStart = true;

  function draw(): void {
    if (!isLive || kept !== undefined || !atLineStart || wanted === shown) return;
    // One row, or the terminal would break it into two of which only one is cleared.
    const row = [...wanted].slice(0, Math.max(1, (output.columns || 80) - 1)).join('');
    output.write(`${shown === '' ? '' : CLEAR_LINE}${row === '' ? '' : `\u001b[2m${row}\u001b[22m`}`);
    shown = wanted;
  }

  function clear(): void {
    if (shown !== '') output.write(CLEAR_LINE);
    shown = '';
  }

  return {
    write(text) {
      if (text === '') return;
      if (kept !== undefined) {
        kept += text;
        return;
      }
      clear();
      output.write(text);
      atLineStart = text.endsWith('\n');
      draw();
    },
    status(text) {
      wanted = text;
      draw();
    },
    hold() {
      clear();
      // Whoever asks begins a line, and would wipe out what stands on it.
      if (!atLineStart) output.write('\n');
      atLineStart = true;
      kept ??= '';
    },
    release() {
      const text = kept ?? '';
      kept = undefined;
      atLineStart = true;
      this.write(text);
      draw();
    },
    close() {
      wanted = '';
      draw();
      clear();
    },
  };
}
