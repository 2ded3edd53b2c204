// The box that something is written in, as lines: what it is for, the rows, and what went wrong.

import { rule } from '../screen.tsx';
import { type Line, span, strong, widthOf } from '../text/line.ts';
import { own } from '../text/shown.ts';
import type { Writer } from './use-writer.ts';

export interface BoxLook {
  readonly title: string;
  /** The keys that end it, as many as there is room for. */
  readonly keys: readonly (readonly [key: string, what: string])[];
  readonly width: number;
  readonly isBusy?: boolean;
  /** The server is not there: what is on its way stays here until it is back. */
  readonly isLost?: boolean;
  readonly problem?: string | null;
}

/** Room at both sides, and the mark at the edge. */
export const BOX_EDGE = 4;

/** So much of the screen a box takes at most. */
export function boxRows(rows: number): number {
  return Math.max(1, Math.min(8, Math.floor(rows / 3)));
}

export function boxLines(writer: Writer, look: BoxLook): readonly Line[] {
  const { title, keys, width, isBusy = false, isLost = false, problem } = look;
  const words = isLost ? 'it goes off when the server is back' : 'on its way …';
  return [
    titleLine(title, isBusy ? [] : keys, width),
    ...writer.lines.map((line): Line => [span(' ▏ ', 'muted'), ...line]),
    ...(isBusy ? [[span(`   ${words}`, 'muted')]] : problem ? [[span(`   ${own(problem)}`, 'bad')]] : []),
  ];
}

/** `── message ────────── Enter sends · Esc leaves`. */
function titleLine(title: string, keys: BoxLook['keys'], width: number): Line {
  const head = ` ${title} `;
  let used = widthOf(head) + 4;
  const shown: Line[] = [];
  for (const [key, what] of keys) {
    const room = widthOf(key) + widthOf(what) + 3;
    if (used + room > width) break;
    used += room;
    shown.push([strong(` ${key}`), span(` ${what} `, 'muted')]);
  }
  const fill = Math.max(0, width - used + 1);
  return [span('──', 'muted'), strong(head), ...rule(fill), ...shown.flat()];
}
