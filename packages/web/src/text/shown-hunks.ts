// The lines of a change without their secrets. Each side is looked at as a whole, since a key goes over many lines.

import { type FoundSecret, redact, replaceSecrets } from '@tailrace/core';
import type { DiffLine, Hunk } from './hunks.ts';

export interface ShownHunks {
  readonly hunks: readonly Hunk[];
  /** So many secrets were taken out. */
  readonly count: number;
}

export function shownHunks(hunks: readonly Hunk[]): ShownHunks {
  let count = 0;
  const shown = hunks.map(({ title, lines }) => {
    const before = sideOf(lines, 'added');
    const after = sideOf(lines, 'removed');
    count += Math.max(before.found.length, after.found.length);
    return {
      title,
      lines: lines.map((line) => {
        const text = (line.kind === 'removed' ? before : after).textOf(line);
        return text === line.text ? line : { ...line, text };
      }),
    };
  });
  return { hunks: count === 0 ? hunks : shown, count };
}

interface Side {
  readonly found: readonly FoundSecret[];
  textOf(line: DiffLine): string;
}

function sideOf(lines: readonly DiffLine[], without: DiffLine['kind']): Side {
  const starts = new Map<DiffLine, number>();
  let text = '';
  for (const line of lines) {
    if (line.kind === without) continue;
    starts.set(line, text.length);
    text += `${line.text}\n`;
  }
  const { found } = redact(text);
  return {
    found,
    textOf(line) {
      const start = starts.get(line);
      if (start === undefined || found.length === 0) return line.text;
      return replaceSecrets(text, start, start + line.text.length, found);
    },
  };
}
