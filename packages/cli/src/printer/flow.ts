// The model's words on the main thread, from pieces to rows: laid out block by block when they are whole, or as they come when
// no layout is wanted. Blocks of one answer may go on in the middle of a sentence, so they flow together.

import { createBlockCutter } from './blocks.ts';
import type { Markdown } from './markdown.ts';
import { type Sheet, wrapText } from './sheet.ts';
import { breakLine } from './wrap.ts';

export interface Flow {
  /** Clean text; gives what is settled by it, whole lines. */
  push(text: string): string;
  /** Something else is to be printed: the rest. */
  end(): string;
  /** Rows of what is not whole yet, as it stands. */
  open(): readonly string[];
  /** Whether something waits to be whole. */
  readonly isOpen: boolean;
}

/** As much of an unfinished block as is looked at each time it grows. */
const LOOKED_AT = 4_000;

export function createFlow(sheet: Sheet, markdown: Markdown): Flow {
  const cutter = createBlockCutter();
  let hasBlocks = false;

  function layOut(blocks: readonly string[]): string {
    let text = '';
    for (const block of blocks) {
      const rows = markdown.render(block, sheet.columns);
      if (rows.length === 0) continue;
      text += `${hasBlocks ? '\n' : ''}${rows.join('\n')}\n`;
      hasBlocks = true;
    }
    return text;
  }

  return {
    push: (text) => layOut(cutter.push(text)),
    end() {
      const text = layOut(cutter.flush());
      hasBlocks = false;
      return text;
    },
    open() {
      const text = cutter.open().trimEnd();
      if (text === '') return [];
      const rows = text
        .slice(-LOOKED_AT)
        .split('\n')
        .flatMap((line) =>
          /^\s/.test(line) ? breakLine(line, sheet.columns) : wrapText(line, sheet.columns, sheet.palette),
        );
      return hasBlocks ? ['', ...rows] : rows;
    },
    get isOpen() {
      return cutter.open() !== '';
    },
  };
}

/** Words as they come, for whoever wants nothing else. */
export function createPlainFlow(): Flow {
  let atLineStart = true;
  return {
    push(text) {
      if (text !== '') atLineStart = text.endsWith('\n');
      return text;
    },
    end() {
      const rest = atLineStart ? '' : '\n';
      atLineStart = true;
      return rest;
    },
    open: () => [],
    isOpen: false,
  };
}
