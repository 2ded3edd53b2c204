// Breaks text into rows of so many columns: between words, inside of a word that is longer than a row, and between the characters
// of scripts that have no spaces. A row is made of stretches, each with its style, so that no row begins in the middle of one.

import { type Palette, Style } from './palette.ts';
import { graphemesOf, isNarrow } from './width.ts';

/** Lines of prose are not longer: nobody finds the next one otherwise. */
export const MEASURE = 100;

/** A stretch of text in one style. A line feed in it begins a row. */
export interface Span {
  readonly text: string;
  readonly style: number;
}

export interface Row {
  /** With its styles. */
  readonly text: string;
  readonly width: number;
}

/** What may not stand at the beginning of a row: it belongs to the character before. */
const CLOSING = /^[、。，．：；？！）」』】〉》〕｝ー…々ゝゞっゃゅょッャュョ]/u;

const PLAIN = /^[ -~]*$/;

/** Runs of spaces count as one, as in a paragraph. */
export function wrapSpans(spans: readonly Span[], columns: number, palette: Palette): readonly Row[] {
  const width = Math.max(1, columns);
  const rows: Row[] = [];
  let row = '';
  let rowWidth = 0;
  /** The stretch at the end of the row that is not painted yet. */
  let run = '';
  let runStyle: number = Style.none;
  let gap: number | undefined;
  /** Stretches that no space separates: they are one word. */
  let word: Span[] = [];
  let wordWidth = 0;

  function put(text: string, style: number): void {
    if (style !== runStyle) {
      row += palette.paint(runStyle, run);
      run = '';
      runStyle = style;
    }
    run += text;
  }

  function endRow(): void {
    rows.push({ text: row + palette.paint(runStyle, run), width: rowWidth });
    row = '';
    run = '';
    rowWidth = 0;
    gap = undefined;
  }

  function endWord(): void {
    if (word.length === 0) return;
    if (rowWidth > 0 && rowWidth + (gap === undefined ? 0 : 1) + wordWidth > width) endRow();
    if (gap !== undefined && rowWidth > 0) {
      put(' ', gap);
      rowWidth++;
    }
    gap = undefined;
    if (wordWidth <= width) {
      for (const { text, style } of word) put(text, style);
      rowWidth += wordWidth;
    } else for (const { text, style } of word) putBroken(text, style);
    word = [];
    wordWidth = 0;
  }

  /** A word that is longer than a row. */
  function putBroken(text: string, style: number): void {
    if (PLAIN.test(text)) {
      for (let at = 0; at < text.length; ) {
        // A character may be wider than a row.
        if (rowWidth >= width) endRow();
        const piece = text.slice(at, at + width - rowWidth);
        put(piece, style);
        rowWidth += piece.length;
        at += piece.length;
      }
      return;
    }
    for (const grapheme of graphemesOf(text)) {
      if (rowWidth > 0 && rowWidth + grapheme.width > width) endRow();
      put(grapheme.text, style);
      rowWidth += grapheme.width;
    }
  }

  function addToWord(text: string, style: number, textWidth: number): void {
    word.push({ text, style });
    wordWidth += textWidth;
  }

  /** Wide characters are words of their own. */
  function addWide(text: string, style: number): void {
    let narrow = '';
    let narrowWidth = 0;
    for (const grapheme of graphemesOf(text)) {
      if (grapheme.width < 2 || CLOSING.test(grapheme.text)) {
        narrow += grapheme.text;
        narrowWidth += grapheme.width;
        continue;
      }
      if (narrow !== '') addToWord(narrow, style, narrowWidth);
      narrow = '';
      narrowWidth = 0;
      endWord();
      addToWord(grapheme.text, style, grapheme.width);
    }
    if (narrow !== '') addToWord(narrow, style, narrowWidth);
  }

  for (const { text, style } of spans) {
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (code === 0x20 || code === 0x09) {
        endWord();
        gap = style;
        at++;
      } else if (code === 0x0a) {
        endWord();
        endRow();
        at++;
      } else {
        let end = at + 1;
        while (end < text.length && !isSpace(text.charCodeAt(end))) end++;
        const part = text.slice(at, end);
        if (isNarrow(part)) addToWord(part, style, part.length);
        else addWide(part, style);
        at = end;
      }
    }
  }
  endWord();
  if (rowWidth > 0 || rows.length === 0) endRow();
  return rows;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a;
}

/** Lines as they are, spaces included, each broken where a row ends. A tab is four of them. */
export function breakLine(line: string, columns: number): readonly string[] {
  const width = Math.max(1, columns);
  const text = line.replaceAll('\t', '    ');
  if (text.length <= width && PLAIN.test(text)) return [text];
  if (PLAIN.test(text)) {
    const rows: string[] = [];
    for (let at = 0; at < text.length; at += width) rows.push(text.slice(at, at + width));
    return rows;
  }
  const rows: string[] = [];
  let row = '';
  let rowWidth = 0;
  for (const grapheme of graphemesOf(text)) {
    if (rowWidth > 0 && rowWidth + grapheme.width > width) {
      rows.push(row);
      row = '';
      rowWidth = 0;
    }
    row += grapheme.text;
    rowWidth += grapheme.width;
  }
  rows.push(row);
  return rows;
}
