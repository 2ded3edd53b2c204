// The one way from an agent's text to the terminal: what steers it goes first, then what is secret. The other way round, an escape
// sequence inside a secret would hide it from whoever looks for one. Last, what hides is written out: every such character in
// commands, paths, names and changes; in prose only what turns or splits the text, because letters and emoji are joined by others.

import { createRedactor, type Redactor, redact, replaceSecrets } from '@tailrace/core';
import { type Cleaner, cleanText, createCleaner, fitLine } from './clean.ts';
import { reveal, showPrinted, showTurning } from './hidden.ts';

export interface GateOptions {
  /** Whether secrets are left out; they are unless somebody wants to see them. */
  readonly redact?: boolean | undefined;
}

export interface Gate {
  /** A text that is whole. */
  text(text: string): string;
  /** The same on one line. */
  prose(text: string, width: number): string;
  /** A command, a path or a name on one line: what hides in it is written out. */
  line(text: string, width: number): string;
  /** The same for rows that belong together: what is secret may go over several. */
  lines(rows: readonly string[], width: number): readonly string[];
  /** The last lines of what a program printed, whose colours and the like are left out. What is before them is only looked through. */
  output(text: string, lines: number, width: number): readonly string[];
  /** What can be shown of a block by now. */
  piece(blockId: string, piece: string): string;
  /** The rest of a block that has ended. */
  rest(blockId: string): string;
  /** Blocks that have not ended. */
  open(): readonly string[];
}

const ASCII = /^[\t\n -~]*$/;

export function createGate(options: GateOptions = {}): Gate {
  const isRedacted = options.redact ?? true;
  const blocks = new Map<string, { readonly cleaner: Cleaner; readonly redactor: Redactor | undefined }>();

  function pass(given: string): string {
    const clean = cleanText(given);
    return isRedacted ? redact(clean).text : clean;
  }

  /** A row with a secret in it is shown as it was looked through; from any other, nothing that hides is taken away unseen. */
  function rowsOf(rows: readonly string[], width: number): readonly string[] {
    const near = rows.map((row) => row.slice(0, lookedAt(width)));
    const clean = near.map((row) => cleanText(row).replaceAll('\n', ' '));
    const joined = clean.join('\n');
    const found = isRedacted ? redact(joined).found : [];
    let start = 0;
    return clean.map((row, at) => {
      const shown = found.length === 0 ? row : replaceSecrets(joined, start, start + row.length, found);
      start += row.length + 1;
      return fitLine(reveal(shown === row ? (near[at] ?? '') : shown).replaceAll('\t', '    '), width);
    });
  }

  return {
    text: (given) => showTurning(pass(given)),
    prose: (given, width) => fitLine(showTurning(pass(given)), width),
    line(given, width) {
      const near = given.slice(0, lookedAt(width)).replaceAll('\t', ' ');
      const clean = cleanText(near).replaceAll('\n', ' ');
      // A column of ASCII is a character; of other text it may be many.
      const shown = isRedacted ? redact(clean, ASCII.test(clean) ? width : undefined).text : clean;
      return fitLine(reveal(shown === clean ? near : shown), width);
    },
    lines: rowsOf,
    output(given, lines, width) {
      const clean = pass(given);
      let start = clean.length;
      for (let left = lines; left > 0 && start > 0; left--) start = clean.lastIndexOf('\n', start - 1);
      const rows = clean.slice(Math.max(0, start + (start === clean.length ? 0 : 1))).split('\n');
      return rows.map((row) => fitLine(showPrinted(row).replaceAll('\t', '    '), width));
    },
    piece(blockId, piece) {
      let block = blocks.get(blockId);
      if (!block) {
        block = { cleaner: createCleaner(), redactor: isRedacted ? createRedactor() : undefined };
        blocks.set(blockId, block);
      }
      const clean = block.cleaner.clean(piece);
      return showTurning(block.redactor ? block.redactor.push(clean) : clean);
    },
    rest(blockId) {
      const block = blocks.get(blockId);
      blocks.delete(blockId);
      return showTurning(block?.redactor?.flush() ?? '');
    },
    open: () => [...blocks.keys()],
  };
}

/** As much as a row can show, and so much more that a secret which begins in it is known for what it is. */
function lookedAt(width: number): number {
  return 2 * width + 600;
}
