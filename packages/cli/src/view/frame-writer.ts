// From ink's frames to the terminal: only the rows that changed are written, each at its own place. Ink's own way counts rows back from
// where it was last, which goes wrong when the terminal is resized, and clears everything when a frame fills the screen.

import { EventEmitter } from 'node:events';

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';
const CLEAR = '\u001b[2J';

/** What is asked of the terminal. */
export interface TerminalOutput {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

export interface FrameWriter {
  /** For ink, which has to be rendered with `debug`: then each write is a whole frame. */
  readonly stdout: NodeJS.WriteStream;
  /** Writes nothing more. */
  stop(): void;
}

export function createFrameWriter(output: TerminalOutput): FrameWriter {
  let shown: readonly string[] = [];
  let isClear = false;
  let isOn = true;
  const events = new EventEmitter();

  function resize(): void {
    shown = [];
    isClear = false;
    events.emit('resize');
  }

  function write(frame: string): boolean {
    if (!isOn) return true;
    const rows = frame.split('\n').slice(0, output.rows ?? Number.POSITIVE_INFINITY);
    const changes = rows.flatMap((row, index) =>
      row === shown[index] ? [] : [`\u001b[${index + 1};1H\u001b[2K${row}`],
    );
    for (let index = rows.length; index < shown.length; index++) changes.push(`\u001b[${index + 1};1H\u001b[2K`);
    shown = rows;
    if (changes.length === 0) return true;
    output.write(`${BEGIN}${isClear ? '' : CLEAR}${changes.join('')}${END}`);
    isClear = true;
    return true;
  }

  output.on('resize', resize);
  const stream = {
    get columns() {
      return output.columns;
    },
    get rows() {
      return output.rows;
    },
    isTTY: true,
    write,
    on(event: string, listener: () => void) {
      events.on(event, listener);
      return stream;
    },
    off(event: string, listener: () => void) {
      events.off(event, listener);
      return stream;
    },
  };
  return {
    // Ink asks for no more than this of a stream that it writes to.
    stdout: stream as unknown as NodeJS.WriteStream,
    stop() {
      isOn = false;
      output.off('resize', resize);
    },
  };
}
