// The one way from an agent's text to the terminal: what steers it goes first, then what is secret. The other way round, an escape
// sequence inside a secret would hide it from whoever looks for one. Last, what hides is written out: every such character in
// commands, paths, names and changes; in prose only what turns or splits the text, because letters and emoji are joined by others.

import { createRedactor, type Redactor, redact, replaceSecrets, revealHidden } from '@tailrace/core';
import { type Cleaner, cleanText, createCleaner, fitLine } from './clean.ts';

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

/** What turns the direction of writing, takes no room, or ends a line in an odd way. */
const TURNING =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const ASCII = /^[\t\n -~]*$/;

export function createGate(options: GateOptions = {}): Gate {
  const isRedacted = options.redact ?? true;
  const blocks = new Map<string, { readonly cleaner: Cleaner; readonly redactor: Redactor | undefined }>();

  function pass(given: string): string {
    const clean = cleanText(given);
    return isRedacted ? redact(clean).text : clean;
  }

  return {
    text: (given) => showTurning(pass(given)),
    line: (given, width) => fitLine(revealHidden(pass(beginningOf(given, width))), width),
    lines(rows, width) {
      const clean = rows.map((row) => cleanText(beginningOf(row, width)).replaceAll('\n', ' '));
      const joined = clean.join('\n');
      const found = isRedacted ? redact(joined).found : [];
      let start = 0;
      return clean.map((row) => {
        const shown = replaceSecrets(joined, start, start + row.length, found);
        start += row.length + 1;
        return fitLine(revealHidden(shown), width);
      });
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

function showTurning(text: string): string {
  return ASCII.test(text) ? text : text.replace(TURNING, revealHidden);
}

/** What a line can show, and so much more that a secret which begins in it is known for what it is. */
function beginningOf(text: string, width: number): string {
  return text.slice(0, 4 * width + 2_000);
}
