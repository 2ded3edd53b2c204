// A line of the screen as spans of text, each with what it means; how that looks is settled where it is drawn. What goes in is safe
// already: it is ours, or it came through `shown.ts`.

import stringWidth from 'string-width';

/** What a text means. `waiting` is for what waits for the person, and for nothing else. */
export type SpanTone = 'plain' | 'muted' | 'working' | 'waiting' | 'good' | 'bad' | 'code';

export interface Span {
  readonly text: string;
  readonly tone?: SpanTone;
  readonly isStrong?: true;
  /** Light and dark are exchanged: a hit of a search, a chosen tab. */
  readonly isTurned?: true;
  readonly isSlanted?: true;
  readonly isUnderlined?: true;
  readonly isStruck?: true;
}

export type Line = readonly Span[];

export function span(text: string, tone: SpanTone = 'plain'): Span {
  return { text, tone };
}

export function strong(text: string, tone: SpanTone = 'plain'): Span {
  return { text, tone, isStrong: true };
}

const PLAIN = /^[ -~]*$/;

/** How many columns a text takes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = widths.get(text);
  if (width === undefined) {
    width = stringWidth(text);
    if (widths.size >= MOST_WIDTHS) widths.clear();
    widths.set(text, width);
  }
  return width;
}

/** Most of a frame was in the one before. */
const widths = new Map<string, number>();
const MOST_WIDTHS = 4_000;

export function widthOfLine(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** The beginning of a text that fits; what is cut off is told by a mark. */
export function cutText(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? '' : `${beginningOf(text, width - 1)}…`;
}

/** The end of a text that fits: of a path that tells more. */
export function cutFront(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width < 1) return '';
  if (PLAIN.test(text)) return `…${text.slice(text.length - width + 1)}`;
  const characters = [...segmenter.segment(text)].map(({ segment }) => segment);
  let [from, left] = [characters.length, width - 1];
  while (from > 0 && widthOf(characters[from - 1] ?? '') <= left) left -= widthOf(characters[--from] ?? '');
  return `…${characters.slice(from).join('')}`;
}

const segmenter = new Intl.Segmenter();

function beginningOf(text: string, width: number): string {
  if (PLAIN.test(text)) return text.slice(0, width);
  let [beginning, left] = ['', width];
  for (const { segment } of segmenter.segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    beginning += segment;
  }
  return beginning;
}

/** The line in this many columns, and not one more. */
export function fit(line: Line, width: number): Line {
  const fitted: Span[] = [];
  let left = width;
  for (const one of line) {
    if (left <= 0) break;
    const text = cutText(one.text, left);
    fitted.push({ ...one, text });
    if (text !== one.text) break;
    left -= widthOf(text);
  }
  return fitted;
}

/** One part at the left and one at the right end; where there is no room for both, the left one is cut. */
export function spread(left: Line, right: Line, width: number): Line {
  const rightWidth = widthOfLine(right);
  if (rightWidth === 0) return fit(left, width);
  if (rightWidth + 2 > width) return fit(left, width);
  const cut = fit(left, width - rightWidth - 1);
  return [...cut, span(' '.repeat(width - rightWidth - widthOfLine(cut))), ...right];
}

/** A text in so many columns, filled up with room. */
export function column(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut + ' '.repeat(Math.max(0, width - widthOf(cut)));
}

/** Marks the places of words in a line. */
export function markHits(line: Line, words: string): Line {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return line;
  return line.flatMap((one) => {
    const found: Span[] = [];
    const lower = one.text.toLowerCase();
    // Where small letters have another length than large ones, places cannot be told.
    if (lower.length !== one.text.length) return [one];
    let end = 0;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, end)) {
      if (at > end) found.push({ ...one, text: one.text.slice(end, at) });
      end = at + wanted.length;
      found.push({ ...one, text: one.text.slice(at, end), isTurned: true });
    }
    if (end < one.text.length) found.push({ ...one, text: one.text.slice(end) });
    return found;
  });
}
