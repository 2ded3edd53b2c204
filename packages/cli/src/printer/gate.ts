// The one way from an agent's text to the terminal: what steers it goes first, then what is secret. The other way round, an escape
// sequence inside a secret would hide it from whoever looks for one.

import { createRedactor, type Redactor, redact, replaceSecrets } from '@tailrace/core';
import { cleanText, createCleaner, fitLine } from './clean.ts';

export interface GateOptions {
  /** Whether secrets are left out; they are unless somebody wants to see them. */
  readonly redact?: boolean | undefined;
}

export interface Gate {
  /** A text that is whole. */
  text(text: string): string;
  /** One line of it, for a card. */
  line(text: string, width: number): string;
  /** Rows that belong together: what is secret may go over several. */
  lines(rows: readonly string[], width: number): readonly string[];
  /** What can be shown of a block by now. */
  piece(blockId: string, piece: string): string;
  /** The rest of a block that has ended. */
  rest(blockId: string): string;
  /** Blocks that have not ended. */
  open(): readonly string[];
}

export function createGate(options: GateOptions = {}): Gate {
  const isRedacted = options.redact ?? true;
  const cleaner = createCleaner();
  const blocks = new Map<string, Redactor>();

  function text(given: string): string {
    const clean = cleanText(given);
    return isRedacted ? redact(clean).text : clean;
  }

  return {
    text,
    line: (given, width) => fitLine(text(beginningOf(given, width)), width),
    lines(rows, width) {
      const clean = rows.map((row) => cleanText(beginningOf(row, width)).replaceAll('\n', ' '));
      const joined = clean.join('\n');
      const found = isRedacted ? redact(joined).found : [];
      let start = 0;
      return clean.map((row) => {
        const shown = replaceSecrets(joined, start, start + row.length, found);
        start += row.length + 1;
        return fitLine(shown, width);
      });
    },
    piece(blockId, piece) {
      const clean = cleaner.clean(piece);
      if (!isRedacted) return clean;
      let redactor = blocks.get(blockId);
      if (!redactor) {
        redactor = createRedactor();
        blocks.set(blockId, redactor);
      }
      return redactor.push(clean);
    },
    rest(blockId) {
      const redactor = blocks.get(blockId);
      blocks.delete(blockId);
      return redactor?.flush() ?? '';
    },
    open: () => [...blocks.keys()],
  };
}

/** What a line can show, and so much more that a secret which begins in it is known for what it is. */
function beginningOf(text: string, width: number): string {
  return text.slice(0, 4 * width + 2_000);
}
