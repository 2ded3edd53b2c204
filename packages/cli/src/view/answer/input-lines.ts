// What a permission is asked for, as lines: whole, as it is, with whatever hides written out (T-19, T-20).

import { fieldsOf, foldGaps, type ShownField, sizeOf } from '@tailrace/client/timeline';
import { hiddenIn, type Json } from '@tailrace/core';
import { type Line, span, strong } from '../text/line.ts';
import { approvable } from '../text/shown.ts';
import { wrapWhole } from '../text/wrap.ts';

/** All of an input, at most as wide; its size in words is below it, and how much of it hides. */
export function inputLines(input: Json | undefined, width: number): readonly Line[] {
  const fields = fieldsOf(input);
  return [
    ...fields.flatMap((field, index) => [...(index === 0 ? [] : [[]]), ...fieldLines(field, width)]),
    ...(fields.length === 0 ? [[span('It has no input.', 'muted')]] : []),
    [],
    [span(`(the whole input: ${sizeOf(fields)})`, 'muted')],
    ...hiddenLines(fields),
  ];
}

/** How many characters of it hide; no line where none does. */
function hiddenLines(fields: readonly ShownField[]): readonly Line[] {
  let count = 0;
  for (const { name = '', text } of fields)
    for (const { isHidden } of hiddenIn(`${name}${text}`)) if (isHidden) count++;
  if (count === 0) return [];
  const words = count === 1 ? '1 hidden character is' : `${count.toLocaleString('en')} hidden characters are`;
  return [[span(`(${words} written out)`, 'bad')]];
}

/** A plan, as it is: what it says in Markdown is read as it stands. */
export function planLines(text: string, width: number): readonly Line[] {
  return [[strong('plan')], ...textLines(text, width), []];
}

function textLines(text: string, width: number): readonly Line[] {
  return foldGaps(text).flatMap((run) =>
    'text' in run
      ? wrapWhole(approvable(run.text), width - 2).map((row): Line => [span('  '), span(row)])
      : [[span(`  (${run.emptyLines} empty lines)`, 'muted')]],
  );
}

function fieldLines({ name, text, look }: ShownField, width: number): readonly Line[] {
  const rows = textLines(text, width);
  if (name === undefined) return rows;
  // A name that goes on in the next line could pass for one of ours.
  const label = approvable(name).replaceAll('\n', '\\n');
  return [look === 'command' ? [strong(label)] : [span(label, 'muted')], ...rows];
}
