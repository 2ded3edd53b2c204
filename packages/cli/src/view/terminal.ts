// The terminal around the view: another screen while it is on, and everything as it was when it is over, however it ends.

import { writeSync } from 'node:fs';

// What is pasted comes between two marks (2004), so that a line feed in it is not taken for the key.
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?2004h\u001b[2J\u001b[H';
const LEAVE = '\u001b[?2026l\u001b[0m\u001b[?2004l\u001b[?25h\u001b[?1049l';

export interface Terminal {
  leave(): void;
}

/** Goes to another screen. Whatever ends the process brings the first one back. */
export function enterScreen(): Terminal {
  let isOn = true;
  const leave = (): void => {
    if (!isOn) return;
    isOn = false;
    process.off('exit', leave);
    if (process.stdin.isTTY && process.stdin.isRaw) process.stdin.setRawMode(false);
    try {
      // At once: after this there may be no time left.
      writeSync(process.stdout.fd, LEAVE);
    } catch {
      // Nobody is there any more.
    }
  };
  process.on('exit', leave);
  process.stdout.write(ENTER);
  return { leave };
}

/** Rings once. Frames are written whole, so it stands between two of them. */
export function ringBell(): void {
  process.stdout.write('\u0007');
}

/** Puts a text where people paste from, as far as the terminal lets us (OSC 52). */
export function copyText(text: string): void {
  process.stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
}
