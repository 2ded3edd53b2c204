// What an agent says in sentences, as lines: the printer's Markdown, whose styles are kept as what they mean. The text has come through
// the gate before: nothing in it can be one of the marks that styles are told by here.

import { createBlockCutter } from '../../printer/blocks.ts';
import { createMarkdown, type Markdown } from '../../printer/markdown.ts';
import { type Palette, Style } from '../../printer/palette.ts';
import { hasColours } from '../colours.ts';
import type { Line, Span, SpanTone } from './line.ts';
import { prose } from './shown.ts';

const BEGIN = '\u0001';
const END = '\u0002';
/** Styles begin here, so that none of them is one of the marks. */
const FIRST_STYLE = 0x100;

/** Where paint would be, marks tell the style. */
function createMarker(isColoured: boolean): Palette {
  const paint = (style: number, text: string): string =>
    style === Style.none || text === '' ? text : `${BEGIN}${String.fromCharCode(FIRST_STYLE + style)}${text}${END}`;
  const one = (style: number) => (text: string) => paint(style, text);
  return {
    isColoured,
    paint,
    dim: one(Style.dim),
    bold: one(Style.bold),
    good: one(Style.good),
    bad: one(Style.bad),
    waiting: one(Style.waiting),
  };
}

const markdown: Markdown = createMarkdown(createMarker(hasColours));

/** A text in Markdown, at most as wide. */
export function markdownLines(text: string, width: number): readonly Line[] {
  const cutter = createBlockCutter();
  const blocks = [...cutter.push(prose(text)), ...cutter.flush()];
  return blocks.flatMap((block, index): readonly Line[] => {
    const lines = blockLines(block, width);
    return index === 0 || lines.length === 0 ? lines : [[], ...lines];
  });
}

/** The same, as quiet as something beside the point. */
export function quietMarkdown(text: string, width: number): readonly Line[] {
  return markdownLines(text, width).map((line) => line.map((one): Span => ({ ...one, tone: 'muted' })));
}

/** The beginning of a text in Markdown, on one line and without its marks. */
export function oneLine(text: string): string {
  const lines = markdownLines(text.slice(0, LONGEST_LINE), LONGEST_LINE);
  return lines
    .flatMap((line) =>
      line.length === 0
        ? []
        : [
            line
              .map((one) => one.text)
              .join('')
              .trim(),
          ],
    )
    .join(' ');
}

/** More does not go on any line. */
const LONGEST_LINE = 400;

/** Of a text that grows, only the last block is another one than before. */
const known = new Map<string, readonly Line[]>();
const MOST_KNOWN = 2_000;

function blockLines(block: string, width: number): readonly Line[] {
  const key = `${width} ${block}`;
  let lines = known.get(key);
  if (!lines) {
    lines = markdown.render(block, width).map(lineOf);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, lines);
  }
  return lines;
}

/** A row with its marks, as spans. */
function lineOf(row: string): Line {
  const spans: Span[] = [];
  for (const [index, piece] of row.split(BEGIN).entries()) {
    const [styled, plain] = index === 0 ? ['', piece] : cut(piece);
    if (styled.length > 1) spans.push(styledSpan(styled.charCodeAt(0) - FIRST_STYLE, styled.slice(1)));
    if (plain !== '') spans.push({ text: plain });
  }
  return spans;
}

function cut(piece: string): readonly [styled: string, plain: string] {
  const end = piece.indexOf(END, 1);
  return end < 0 ? [piece, ''] : [piece.slice(0, end), piece.slice(end + 1)];
}

function styledSpan(style: number, text: string): Span {
  const tone: SpanTone = style & Style.code ? 'code' : style & Style.dim ? 'muted' : 'plain';
  return {
    text,
    tone,
    ...(style & Style.bold && { isStrong: true as const }),
    ...(style & Style.italic && { isSlanted: true as const }),
    ...(style & Style.underline && { isUnderlined: true as const }),
    ...(style & Style.strike && { isStruck: true as const }),
  };
}
