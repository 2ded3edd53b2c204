// An input as a person reads it before it is allowed: field by field, whole, with its size (T-20).

import type { Json } from '@tailrace/core';

export interface ShownField {
  /** Absent where the input is one value without a name. */
  readonly name?: string;
  readonly text: string;
  /** `command`: what will be run; `data`: written as JSON. */
  readonly look: 'command' | 'text' | 'data';
}

/** The fields of an input. What will be run comes first. */
export function fieldsOf(input: Json | undefined): readonly ShownField[] {
  if (input === undefined || input === null) return [];
  if (typeof input !== 'object' || Array.isArray(input)) return [shown(input)];
  const fields = Object.entries(input).map(([name, value]): ShownField => {
    const field = shown(value);
    return name === 'command' && field.look === 'text' ? { ...field, name, look: 'command' } : { ...field, name };
  });
  return [...fields.filter(isCommand), ...fields.filter((field) => !isCommand(field))];
}

function isCommand({ look }: ShownField): boolean {
  return look === 'command';
}

function shown(value: unknown): ShownField {
  if (typeof value === 'string') return { text: value, look: 'text' };
  return { text: JSON.stringify(value, null, 2) ?? '', look: 'data' };
}

/** `31 characters, 1 line`: of everything that is shown. */
export function sizeOf(fields: readonly ShownField[]): string {
  let characters = 0;
  let lines = 0;
  for (const { text } of fields) {
    // As people count them: a character outside the first 65,536 is one.
    for (const _ of text) characters++;
    lines += text.split('\n').length;
  }
  return `${count(characters, 'character')}, ${count(lines, 'line')}`;
}

function count(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;
}

/** Short enough to be read at a glance, all of it. */
export function isGlance(fields: readonly ShownField[]): boolean {
  const texts = fields.map(({ text }) => text);
  return texts.join('').length <= 300 && texts.join('\n').split('\n').length <= 6;
}

/** A part of a text: some lines, or as many empty ones as nobody needs to scroll over. */
export type TextRun = { readonly text: string } | { readonly emptyLines: number };

/** As many empty lines stand as they are. */
const MOST_EMPTY = 3;
const EMPTY = /^[\p{Zs}\t]*$/u;

/** Long gaps are told in words, so that what comes after them is not out of sight. Everything else stays. */
export function foldGaps(text: string): readonly TextRun[] {
  const runs: TextRun[] = [];
  let lines: string[] = [];
  let empty: string[] = [];
  const endLines = (): void => {
    if (lines.length > 0) runs.push({ text: lines.join('\n') });
    lines = [];
  };
  const endGap = (): void => {
    if (empty.length > MOST_EMPTY) {
      endLines();
      runs.push({ emptyLines: empty.length });
    } else lines.push(...empty);
    empty = [];
  };
  for (const line of text.split('\n')) {
    if (EMPTY.test(line)) empty.push(line);
    else {
      endGap();
      lines.push(line);
    }
  }
  endGap();
  endLines();
  return runs;
}
