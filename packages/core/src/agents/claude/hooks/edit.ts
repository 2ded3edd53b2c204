// Putting parts into a text of JSON and taking them out again: `taken` undoes `added` to the byte.

import { type Container, indentAt, type Part } from './json-text.ts';

/** A piece of the text, and what is to stand in its place. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Makes all edits at once; they do not overlap. */
export function splice(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const edit of [...edits].sort((a, b) => b.from - a.from))
    result = result.slice(0, edit.from) + edit.text + result.slice(edit.to);
  return result;
}

/** Puts parts behind the last one, set off as the first one is; into an empty container each on a line of its own. */
export function added(text: string, container: Container, unit: string, ...parts: readonly string[]): Edit {
  const { kind, open, parts: there } = container;
  const first = there[0];
  const last = there.at(-1);
  if (first && last) {
    const before = text.slice(open + 1, first.start);
    const line = before.lastIndexOf('\n');
    const space = line < 0 ? before : before.slice(before[line - 1] === '\r' ? line - 1 : line);
    return { from: last.end, to: last.end, text: parts.map((part) => `,${space}${part}`).join('') };
  }
  const at = open + 1;
  if (kind === 'list' || !text.includes('\n')) return { from: at, to: at, text: parts.join(',') };
  const outer = newlineOf(text) + indentAt(text, open);
  return { from: at, to: at, text: parts.map((part) => outer + unit + part).join(',') + outer };
}

/** Takes parts out, with what `added` would have put around them. */
export function taken(text: string, container: Container, gone: ReadonlySet<Part>): readonly Edit[] {
  const { kind, open, parts } = container;
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last || gone.size === 0) return [];
  const kept = parts.findIndex((part) => !gone.has(part));
  if (kept < 0) {
    if (kind === 'list') return [{ from: first.start, to: last.end, text: '' }];
    const before = text.slice(open + 1, first.start);
    const newline = before.startsWith('\r\n') ? '\r\n' : before.startsWith('\n') ? '\n' : '';
    const after = newline && newline + indentAt(text, open);
    const to = text.startsWith(after, last.end) ? last.end + after.length : last.end;
    return [{ from: open + 1, to, text: '' }];
  }
  const edits: Edit[] = [];
  if (kept > 0) edits.push({ from: first.start, to: parts[kept]?.start ?? first.start, text: '' });
  for (let index = kept + 1; index < parts.length; index++) {
    const [before, part] = [parts[index - 1], parts[index]];
    if (before && part && gone.has(part)) edits.push({ from: before.end, to: part.end, text: '' });
  }
  return edits;
}

/** How lines end in the file. */
export function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** One step of indentation, as the file has it. */
export function unitOf(text: string, root: Container): string {
  const [first] = root.parts;
  const before = first ? text.slice(root.open + 1, first.start) : '';
  return before.includes('\n') ? before.slice(before.lastIndexOf('\n') + 1) || '  ' : '  ';
}
