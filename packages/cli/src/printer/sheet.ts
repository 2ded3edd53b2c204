// What every row is made with: colours, the gate, how wide it may be, and how much is wanted.

import type { Gate } from './gate.ts';
import type { Markdown } from './markdown.ts';
import { type Palette, Style } from './palette.ts';
import { fitPath, fitTo, widthOf } from './width.ts';
import { MEASURE, wrapSpans } from './wrap.ts';

export interface Sheet {
  readonly palette: Palette;
  readonly gate: Gate;
  /** How texts are laid out; nothing: as they are written. */
  readonly markdown: Markdown | undefined;
  /** As wide as the terminal is now. */
  columns: number;
  /** Nothing is folded. */
  readonly isFull: boolean;
  /** Names of tools as they are shown, by what they are. */
  readonly names: Map<string, string>;
  /** The folder that paths are told from. */
  cwd: string | undefined;
}

/** Where rows begin: on the main thread, and one step further in for each sub-agent. */
export function indentOf(depth: number): number {
  return 2 + 4 * depth;
}

export interface Card {
  readonly indent: number;
  /** Painted, one column wide. */
  readonly sign: string;
  readonly name: string;
  readonly title: string;
  /** Behind the title, painted: lines added and removed. */
  readonly counts: { readonly text: string; readonly width: number } | undefined;
  /** At the right end, as far as there is room. */
  readonly notes: readonly string[];
}

const NAME_COLUMNS = 5;
const LONGEST_NAME = 30;
const MOST_NAMES = 1_000;
const LEAST_TITLE = 12;
const REMARK_ROWS = 3;

/** One line: sign, name, what it is about, and at the right end how it went. */
export function cardRow(sheet: Sheet, card: Card): string {
  const { palette, gate, columns } = sheet;
  const name = fitTo(nameOf(sheet, card.name), Math.max(4, Math.min(LONGEST_NAME, columns - card.indent - 4)));
  const nameWidth = Math.max(NAME_COLUMNS, widthOf(name));
  const room = columns - card.indent - 2 - nameWidth - 1;
  const title = gate.line(card.title, columns);
  const countsWidth = card.counts === undefined ? 0 : card.counts.width + 2;
  const titleNeeds = Math.min(widthOf(title), LEAST_TITLE) + countsWidth;
  // A figure that is cut would say something else: what does not fit is left out, the last first.
  const fitting = card.notes.filter(Boolean);
  while (fitting.length > 0 && widthOf(fitting.join('  ')) + 2 + titleNeeds > room) fitting.pop();
  const notes = fitting.join('  ');
  const notesWidth = notes === '' ? 0 : widthOf(notes) + 2;
  const titleRoom = Math.max(0, room - notesWidth - countsWidth);
  const shown = isPath(title) ? fitPath(title, titleRoom) : fitTo(title, titleRoom);
  const left = `${' '.repeat(card.indent)}${card.sign} ${palette.bold(name)}${' '.repeat(nameWidth - widthOf(name) + 1)}${shown}`;
  const counts = card.counts === undefined || countsWidth > room ? '' : `  ${card.counts.text}`;
  if (notes === '') return `${left}${counts}`.trimEnd();
  const fill = Math.max(2, room - widthOf(shown) - countsWidth - widthOf(notes));
  return `${left}${counts}${' '.repeat(fill)}${palette.dim(notes)}`;
}

/** Tools are few, and come again and again: each name passes the gate once. */
function nameOf({ gate, names }: Sheet, name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size > MOST_NAMES) names.clear();
  const shown = gate.line(name, LONGEST_NAME);
  names.set(name, shown);
  return shown;
}

function isPath(title: string): boolean {
  return title.includes('/') && !title.includes(' ');
}

/** A remark that stands by itself: as many rows as it needs, up to a few. */
export function remarkRows(sheet: Sheet, text: string, paint: (text: string) => string, indent: number): string[] {
  const most = sheet.isFull ? Number.POSITIVE_INFINITY : REMARK_ROWS;
  const rows = firstRows(text.replaceAll('\n', ' '), sheet.columns - indent - 2, most, sheet.palette);
  return rows.map((row, at) => `${' '.repeat(indent + (at > 0 ? 2 : 0))}${paint(row)}`);
}

/** So many rows of a text, and a mark where there are more. */
export function firstRows(text: string, columns: number, most: number, palette: Palette): readonly string[] {
  const rows = wrapText(text, columns, palette);
  if (rows.length <= most) return rows;
  const [last = ''] = wrapText(rows[most - 1] ?? '', columns - 2, palette);
  return [...rows.slice(0, most - 1), `${last} …`];
}

/** Lines of plain text, broken between words. */
export function wrapText(text: string, columns: number, palette: Palette): readonly string[] {
  return wrapSpans([{ text, style: Style.none }], Math.max(8, Math.min(columns, MEASURE)), palette).map(
    (row) => row.text,
  );
}

/** A path from the folder that is worked in. */
export function nearPath(sheet: Sheet, path: string): string {
  return sheet.cwd !== undefined && path.startsWith(`${sheet.cwd}/`) ? path.slice(sheet.cwd.length + 1) : path;
}
