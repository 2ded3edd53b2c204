// Text on lines of a width: words are kept whole where they fit, and nothing is left out.

import wrapAnsi from 'wrap-ansi';
import { widthOf } from './line.ts';

/** The lines of a text, each at most as wide. The room where a line is broken is not shown. */
export function wrap(text: string, width: number): readonly string[] {
  return linesOf(text, width, (row, index) => (index > 0 && row.startsWith(' ') ? row.slice(1) : row));
}

/** The same with every character that there is. */
export function wrapWhole(text: string, width: number): readonly string[] {
  return linesOf(text, width, (row) => row);
}

function linesOf(text: string, width: number, finish: (row: string, index: number) => string): readonly string[] {
  const room = Math.max(1, width);
  return text.split('\n').flatMap((line) => {
    if (widthOf(line) <= room) return [line];
    return line.length > LONGEST
      ? cutHard(line, room)
      : wrapAnsi(line, room, { hard: true, trim: false }).split('\n').map(finish);
  });
}

/** Longer lines are no sentences; looking for words in them would take its time. */
const LONGEST = 5_000;

function cutHard(line: string, width: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  let left = width;
  for (const character of line) {
    const wide = widthOf(character);
    if (wide > left) {
      rows.push(row);
      row = '';
      left = width;
    }
    row += character;
    left -= wide;
  }
  return [...rows, row];
}
