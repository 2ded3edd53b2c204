// How many columns a text takes, and where it can be cut. The table is string-width's; what is plain is counted without it.

import stringWidth from 'string-width';

/** Latin, Greek and Cyrillic letters, and signs: each takes one column, whatever stands beside it. The soft hyphen takes none. */
const NARROW = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u21ff\u2500-\u259f]*$/;
/** The same with what takes two: kana, ideographs, syllables of Hangul, and the two signs that everybody writes. No table is needed. */
const SIMPLE =
  /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u21ff\u2500-\u259f\u2705\u274c\u3001\u3002\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/;
const FIRST_WIDE = 0x3001;
const CHECK = 0x2705;
const CROSS = 0x274c;

/** Made when it is needed: it takes ten milliseconds. */
let segmenter: Intl.Segmenter | undefined;

export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  // The table leaves out what steers a terminal.
  if (text.includes('\u001b') || text.includes('\u009b')) return stringWidth(text);
  let width = 0;
  if (SIMPLE.test(text)) for (let at = 0; at < text.length; at++) width += simpleWidth(text.charCodeAt(at));
  else for (const grapheme of graphemesOf(text)) width += grapheme.width;
  return width;
}

/** Of what was looked up in the table: a text has few different characters, and a look takes microseconds. */
const widths = new Map<string, number>();
const MAX_WIDTHS = 4_096;

function tableWidth(grapheme: string): number {
  const known = widths.get(grapheme);
  if (known !== undefined) return known;
  if (widths.size >= MAX_WIDTHS) widths.clear();
  const width = stringWidth(grapheme);
  widths.set(grapheme, width);
  return width;
}

/** Whether each of its characters takes one column. */
export function isNarrow(text: string): boolean {
  return NARROW.test(text);
}

function simpleWidth(code: number): number {
  return code >= FIRST_WIDE || code === CHECK || code === CROSS ? 2 : 1;
}

/** What a reader sees as one character, and its columns. */
export interface Grapheme {
  readonly text: string;
  readonly width: number;
}

export function* graphemesOf(text: string): Generator<Grapheme, void> {
  if (SIMPLE.test(text)) {
    for (const character of text) yield { text: character, width: simpleWidth(character.charCodeAt(0)) };
    return;
  }
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield { text: segment, width: tableWidth(segment) };
}

/** As much of the beginning as fits into so many columns. */
function beginningOf(text: string, columns: number): string {
  if (text.length <= columns && NARROW.test(text)) return text;
  const near = text.slice(0, columns);
  if (NARROW.test(near)) return near;
  let width = 0;
  let end = 0;
  for (const grapheme of graphemesOf(text)) {
    width += grapheme.width;
    if (width > columns) break;
    end += grapheme.text.length;
  }
  return text.slice(0, end);
}

/** A text on one line that fits into so many columns; what is left out is told by three dots. */
export function fitTo(text: string, columns: number): string {
  if (columns < 1) return '';
  const line = /[\n\t]/.test(text) ? text.replaceAll('\n', '↵').replaceAll('\t', ' ') : text;
  // A character takes at least a half of a column in no text that people write; more need not be measured.
  const near = line.length > 8 * columns + 64 ? line.slice(0, 8 * columns + 64) : line;
  if (near.length === line.length && widthOf(near) <= columns) return line;
  return `${beginningOf(near, columns - 1).trimEnd()}…`;
}

/** The same, with spaces behind it up to that width. */
export function padTo(text: string, columns: number): string {
  const fitted = fitTo(text, columns);
  return fitted + ' '.repeat(Math.max(0, columns - widthOf(fitted)));
}

/** The end of a path, which tells files apart better than its beginning. */
export function fitPath(path: string, columns: number): string {
  if (widthOf(path) <= columns) return path;
  const parts = path.split('/');
  for (let from = 1; from < parts.length; from++) {
    const end = `…/${parts.slice(from).join('/')}`;
    if (widthOf(end) <= columns) return end;
  }
  return fitTo(parts.at(-1) ?? path, columns);
}
