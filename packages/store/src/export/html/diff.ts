import type { FileChange } from '@tailrace/core';
import type { ExportGate } from '../gate.ts';
import { exact } from './escape.ts';

/** What was done to files. */
export function renderChanges(changes: readonly FileChange[], gate: ExportGate): string {
  return changes.map((change) => renderChange(change, gate)).join('');
}

function renderChange(change: FileChange, gate: ExportGate): string {
  const { path, fromPath, operation } = change;
  const lines = linesOf(change, gate);
  const added = lines.filter((line) => line.startsWith('+')).length;
  const removed = lines.filter((line) => line.startsWith('-')).length;
  const name = fromPath === undefined ? path : `${fromPath} → ${path}`;
  const head = `<p class="file"><span class="word">${exact(operation)}</span> <code>${exact(gate.text(name))}</code> ${
    lines.length === 0 ? '' : `<span class="counts">+${added} −${removed}</span>`
  }</p>`;
  const rows = lines.map((line) => `<span class="${kindOf(line)}">${exact(line)}\n</span>`).join('');
  return lines.length === 0 ? head : `${head}<pre class="diff">${rows}</pre>`;
}

/** With the signs of a patch. Secrets are looked for in the text without them: a key goes over several lines. */
function linesOf({ patch, oldText, newText, operation }: FileChange, gate: ExportGate): readonly string[] {
  if (patch !== undefined) {
    const lines = patch.replace(/\n$/, '').split('\n');
    const texts = gate.lines(lines.map((line) => (/^[-+ ]/.test(line) ? line.slice(1) : line)));
    return lines.map((line, at) => (/^[-+ ]/.test(line) ? line[0] : '') + (texts[at] ?? ''));
  }
  const signed = (text: string, sign: string): string[] =>
    gate
      .text(text)
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => sign + line);
  if (operation === 'add') return newText ? signed(newText, '+') : [];
  return [...(oldText ? signed(oldText, '-') : []), ...(newText ? signed(newText, '+') : [])];
}

function kindOf(line: string): string {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'hunk' : 'same';
}
