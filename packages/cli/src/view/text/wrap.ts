// Text on lines of a width: words are kept whole where they fit, and nothing is left out.

import wrapAnsi from 'wrap-ansi';
import { widthOf } from './line.ts';

/** The lines of a text, each at most as wide. The room where a line is broken is not shown. */
export function wrap(text: string, width: number): readonly string[] {
  const room = Math.max(1, width);
  return text.split('\n').flatMap((line) => {
    if (widthOf(line) <= room) return [line];
    if (line.length > LONGEST) return cutHard(line, room);
    const rows = wrapAnsi(line, room, { hard: true, trim: false }).split('\n');
    return rows.map((row, index) => (index > 0 && row.startsWith(' ') ? row.slice(1) : row));
  });
}

/** Longer lines are no sentences; looking for words in them would take its time. */
const LONGEST = 5_000;

/** The same with every character that there is, and as it is. `wrapAnsi` writes some of them in another way that looks alike. */
export function wrapWhole(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => cutHard(line, Math.max(1, width)));
}

const segmenter = new Intl.Segmenter();

function cutHard(line: string, width: number): readonly string[] {
  if (widthOf(line) <= width) return [line];
  const rows: string[] = [];
  let row = '';
  let left = width;
  for (const segment of piecesOf(line, width)) {
    const wide = widthOf(segment);
    if (wide > left && row !== '') {
      rows.push(row);
      row = '';
      left = width;
    }
    row += segment;
    left -= wide;
  }
  return [...rows, row];
}

/** Characters as people see them; one that is wider than a row is taken apart. */
function* piecesOf(line: string, width: number): Generator<string> {
  for (const { segment } of segmenter.segment(line)) {
    if (widthOf(segment) > width) yield* segment;
    else yield segment;
  }
}
