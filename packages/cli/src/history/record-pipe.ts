// What comes through a pipe, kept line by line while it is shown.

import { randomUUID } from 'node:crypto';
import { type AgentStreamEvent, createSummary } from '@tailrace/core';
import { openLog } from '../log.ts';
import { tellPlainly } from '../printer/hidden.ts';
import { type Keeper, openKeeper } from './keep.ts';

export interface PipeRecord {
  /** Takes bytes as they come, in any pieces. The buffer may be used again after. */
  take(bytes: Uint8Array): Promise<void> | undefined;
  /** What was made of them. */
  hear(events: readonly AgentStreamEvent[]): void;
  /** False when something of it is not kept. */
  close(): Promise<boolean>;
}

const LINE_FEED = 10;

/** A line without end is kept in rows of this size. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/** Opens a record for standard input; none where it cannot be kept, which the person is told. */
export async function recordPipe(): Promise<PipeRecord | undefined> {
  const log = openLog();
  const runId = randomUUID();
  const warn = (message: string): void => {
    log('warn', { message, facts: { runId } });
    process.stderr.write(`tailrace: ${tellPlainly(message)}\n`);
  };
  const keeper = await openKeeper({ runId, agent: undefined, warn });
  if (!keeper) return undefined;
  let pieces: Uint8Array[] = [];
  let size = 0;
  let seq = 0;
  const summary = createSummary();

  function row(): Parameters<Keeper['keep']>[0][number] {
    const bytes = Buffer.concat(pieces, size);
    pieces = [];
    size = 0;
    return { seq: ++seq, at: Date.now(), source: 'stdout', bytes };
  }

  return {
    take(bytes) {
      const rows = [];
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length;
        const piece = Uint8Array.prototype.slice.call(bytes, start, end);
        pieces.push(piece);
        size += piece.length;
        start = end;
        if (piece.at(-1) === LINE_FEED || size >= MAX_ROW_BYTES) rows.push(row());
      }
      return keeper.keep(rows);
    },
    hear(events) {
      for (const event of events) {
        if (event.type === 'raw')
          log('info', {
            message: `a line is ${event.reason}`,
            facts: { runId, line: event.line },
            content: event.text,
          });
        summary.add(event);
        keeper.hear(event);
      }
    },
    async close() {
      if (size > 0) keeper.keep([row()]);
      return keeper.close(summary.summary(seq));
    },
  };
}
