// What a terminal shows beside its text: a title, progress in its taskbar, a bell. Only terminals that are known to understand
// it get it, and everything is taken back in the end. No word of an agent gets into it but through the gate.

import { type Progress, revealHidden } from '@tailrace/core';
import { cleanLine } from './clean.ts';

export interface Signals {
  title(text: string): void;
  progress(progress: Progress): void;
  /** Calls the person: a bell, and a message where the terminal shows them. */
  call(text: string): void;
  /** Puts everything back as it was. */
  close(): void;
}

const ESC = '\u001b';
const BELL = '\u0007';
const STRING_END = `${ESC}\\`;
const LONGEST = 80;

type Environment = Readonly<Record<string, string | undefined>>;

/** Terminals that keep a title on a stack, so that it can be put back. */
function hasTitles({ TERM = '' }: Environment): boolean {
  return /^(?:xterm|alacritty|foot|ghostty|kitty|rxvt|tmux|screen|wezterm)/.test(TERM);
}

/**
 * Terminals that show `OSC 9;4`. Inside of a multiplexer it would go nowhere, or be printed; iTerm2 before 3.6.6 makes a message of
 * the desktop of each, and since then says in `TERM_FEATURES` that it knows it.
 */
function hasProgress(environment: Environment): boolean {
  const { TMUX, STY, TERM_PROGRAM = '', TERM_FEATURES = '', WT_SESSION, ConEmuANSI } = environment;
  if (TMUX || STY) return false;
  return (
    WT_SESSION !== undefined ||
    ConEmuANSI === 'ON' ||
    /^(?:ghostty|WezTerm)$/.test(TERM_PROGRAM) ||
    /P(?![a-z])/.test(TERM_FEATURES) ||
    Number.parseInt(environment['PTYXIS_VERSION'] ?? '', 10) >= 48 ||
    Number.parseInt(environment['KONSOLE_VERSION'] ?? '', 10) >= 260_400
  );
}

/** Terminals that show `OSC 9` as a message of the desktop. */
function hasMessages({ TMUX, STY, TERM_PROGRAM = '', TERM = '' }: Environment): boolean {
  return !TMUX && !STY && (/^(?:ghostty|WezTerm|iTerm\.app)$/.test(TERM_PROGRAM) || TERM === 'xterm-kitty');
}

export function createSignals(write: (text: string) => unknown, environment: Environment): Signals {
  let title = '';
  let shown = '';

  return {
    title(text) {
      const next = revealHidden(cleanLine(text, LONGEST));
      if (next === title || !hasTitles(environment)) return;
      // The first time, the old one is put on the terminal's stack.
      write(`${title === '' ? `${ESC}[22;2t` : ''}${ESC}]2;${next}${STRING_END}`);
      title = next;
    },
    progress({ percentage, basis, phase }) {
      if (!hasProgress(environment)) return;
      const isWaiting = phase.startsWith('waiting');
      // 1 goes on, 3 has no end in sight, 4 is paused.
      const state = isWaiting ? 4 : basis === 'measured' ? 1 : 3;
      const next = `${ESC}]9;4;${state};${state === 3 ? 0 : percentage}${STRING_END}`;
      if (next !== shown) write(next);
      shown = next;
    },
    call(text) {
      write(
        hasMessages(environment)
          ? `${ESC}]9;Tailrace: ${revealHidden(cleanLine(text, LONGEST))}${STRING_END}${BELL}`
          : BELL,
      );
    },
    close() {
      if (shown !== '') write(`${ESC}]9;4;0;0${STRING_END}`);
      if (title !== '') write(`${ESC}[23;2t`);
      shown = '';
      title = '';
    },
  };
}

interface Stream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Calls the person on the first of these that is a terminal; on none, nobody is there to be called. */
export function callOn(streams: readonly Stream[], text: string): void {
  const terminal = streams.find(({ isTTY }) => isTTY);
  if (terminal) createSignals((signal) => terminal.write(signal), process.env).call(text);
}
