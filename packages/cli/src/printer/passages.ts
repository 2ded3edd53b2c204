// Texts that stand by themselves between the cards: prompts, plans, thoughts, and what somebody is asked.

import { type EventOf, revealHidden } from '@tailrace/core';
import { indentOf, type Sheet, wrapText } from './sheet.ts';
import { fitTo } from './width.ts';
import { thoughtText } from './words.ts';

const PROMPT_ROWS = 6;
const PLAN_ROWS = 20;

/** As much of what is asked as anybody scrolls through; whoever answers it is shown all. */
const LONGEST_QUESTION = 20_000;
const LONGEST_LABEL = 1_000;
const LONGEST_TOLD = 2_000;

/** What the person said. */
export function promptRows(sheet: Sheet, text: string): string[] {
  const all = wrapText(sheet.gate.text(text.trim()), sheet.columns - 5, sheet.palette);
  const rows = folded(sheet, all, PROMPT_ROWS, '     ');
  return rows.map((row, at) => (at === 0 ? `${sheet.palette.bold('You')}  ${row.trimStart()}` : row));
}

export function planRows(sheet: Sheet, text: string): string[] {
  const { palette } = sheet;
  const shown = sheet.gate.text(text);
  const columns = sheet.columns - 6;
  const all = sheet.markdown?.render(shown, columns) ?? wrapText(shown, columns, palette);
  return [`  ${palette.bold('plan')}`, ...folded(sheet, all, PLAN_ROWS, `    ${palette.dim('│')} `)];
}

/** What waits for an answer is shown as it is, secrets too: nobody can approve what they do not see. */
export function questionRows(sheet: Sheet, text: string, depth: number): string[] {
  const indent = indentOf(depth);
  const shown = revealHidden(text.slice(0, LONGEST_QUESTION));
  const rows = wrapText(shown, sheet.columns - indent - 2, sheet.palette);
  return rows.map((row, at) => `${' '.repeat(indent)}${sheet.palette.waiting(`${at === 0 ? '?' : ' '} ${row}`)}`);
}

/** A question with what may be chosen. */
export function askedRows(sheet: Sheet, { message, questions }: EventOf<'question-request'>): string[] {
  const asked = questions ?? [];
  if (asked.every(({ options }) => options.length === 0)) return questionRows(sheet, message, 0);
  return asked.flatMap(({ question, options }) => [
    ...questionRows(sheet, question, 0),
    ...options.map(({ label }) => {
      const shown = fitTo(revealHidden(label.slice(0, LONGEST_LABEL)), Math.max(8, sheet.columns - 6));
      return `    ${sheet.palette.waiting(`· ${shown}`)}`;
    }),
  ]);
}

/** What the model was told in the person's place: a row of it. */
export function toldRows(sheet: Sheet, text: string): string[] {
  const told = `┊ told: ${sheet.gate.line(text, LONGEST_TOLD)}`;
  const room = Math.max(8, sheet.columns - indentOf(0));
  const rows = sheet.isFull ? wrapText(told, room - 2, sheet.palette) : [fitTo(told, room)];
  return rows.map((row, at) => `${at === 0 ? '  ' : '    '}${sheet.palette.dim(row)}`);
}

/** That somebody thought, and what, when it is wanted. */
export function thoughtRows(
  sheet: Sheet,
  event: EventOf<'reasoning-end'>,
  {
    isOpen,
    depth,
    measuredMs,
  }: { readonly isOpen: boolean; readonly depth: number; readonly measuredMs: number | undefined },
): string[] {
  const indent = ' '.repeat(indentOf(depth));
  const { palette } = sheet;
  const head = `${indent}${palette.dim(`┊ ${thoughtText(event, measuredMs)}`)}`;
  if (!isOpen || event.text.trim() === '') return [head];
  const text = sheet.gate.text(event.text.trim());
  return [
    head,
    ...wrapText(text, sheet.columns - indent.length - 2, palette).map(
      (row) => `${indent}${palette.dim(`┊ ${row}`.trimEnd())}`,
    ),
  ];
}

function folded(sheet: Sheet, all: readonly string[], most: number, before: string): string[] {
  const left = sheet.isFull ? 0 : Math.max(0, all.length - most);
  const rows = (left > 0 ? all.slice(0, most) : all).map((row) => `${before}${row}`.trimEnd());
  if (left > 0) rows.push(before + sheet.palette.dim(moreText(left)));
  return rows;
}

/** What stands for rows that are left out. */
export function moreText(count: number): string {
  return `… ${count} more ${count === 1 ? 'line' : 'lines'} (--full)`;
}
