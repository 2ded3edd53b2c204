// What waits for an approval is shown whole and as it is: whatever cannot be seen is written out (T-19, T-20).

import { revealHidden } from '@tailrace/core';

/** The text on one line with its hidden characters marked: a name that goes on in the next could pass for a line of ours. */
export function revealLine(text: string): string {
  return revealHidden(text).replaceAll('\n', '\\n');
}

/** As many empty lines are shown as they are; more of them could push the beginning off the screen. */
const MOST_EMPTY = 3;

/** Line by line, with long gaps told in words. */
function linesOf(text: string): readonly string[] {
  const rows: string[] = [];
  let empty = 0;
  for (const row of [...revealHidden(text).split('\n'), undefined]) {
    if (row !== undefined && row.trim() === '') {
      empty++;
      continue;
    }
    if (empty > MOST_EMPTY) rows.push(`(${empty} empty lines)`);
    else rows.push(...Array.from({ length: empty }, () => ''));
    empty = 0;
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** An input for people: each field with its whole value, texts line by line. */
export function showInput(input: unknown): readonly string[] {
  if (typeof input === 'string') return linesOf(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return jsonLines(input);
  return Object.entries(input).flatMap(([name, value]) => {
    const rows = typeof value === 'string' ? linesOf(value) : jsonLines(value);
    const label = `${revealLine(name)}:`;
    return rows.length < 2 ? [`${label} ${rows[0] ?? ''}`] : [label, ...rows.map((row) => `  ${row}`)];
  });
}

function jsonLines(value: unknown): readonly string[] {
  return revealHidden(JSON.stringify(value, null, 2) ?? '').split('\n');
}
