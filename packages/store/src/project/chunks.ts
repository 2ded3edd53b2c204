// The events of many lines in one row: one JSON array `[position, events]` a line. A row for each line would make the index of the
// rows larger than what most lines have to tell.

import { Buffer } from 'node:buffer';
import type { AgentStreamEvent } from '@tailrace/core';
import type { SessionEvents } from '../contract.ts';
import type { ChunkRow } from './rows.ts';

/** A row gets no larger than this, unless one line alone is. */
export const CHUNK_BYTES: number = 256 * 1024;

export interface Chunks {
  add(position: number, events: readonly AgentStreamEvent[]): void;
  /** What has come together since the last time. */
  take(): readonly ChunkRow[];
  /** How much waits, roughly in bytes. */
  readonly waiting: number;
}

export function createChunks(): Chunks {
  let done: ChunkRow[] = [];
  let parts: Buffer[] = [];
  let length = 0;
  let waiting = 0;
  let first = 0;
  let last = 0;

  function close(): void {
    if (parts.length > 0) done.push({ first, last, data: Buffer.concat(parts, length) });
    parts = [];
    length = 0;
  }

  return {
    get waiting() {
      return waiting;
    },
    add(position, events) {
      if (events.length === 0) return;
      // As bytes at once: to join long texts would copy them once more.
      const part = Buffer.from(`[${position},${JSON.stringify(events)}]\n`);
      if (parts.length > 0 && length + part.length > CHUNK_BYTES) close();
      if (parts.length === 0) first = position;
      last = position;
      parts.push(part);
      length += part.length;
      waiting += part.length;
    },
    take() {
      close();
      const taken = done;
      done = [];
      waiting = 0;
      return taken;
    },
  };
}

/** The events of a row, behind a position. */
export function readChunk(text: string, after: number): readonly SessionEvents[] {
  const all: SessionEvents[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    // Written by `createChunks` and by nothing else.
    const [position, events] = JSON.parse(line) as [number, AgentStreamEvent[]];
    if (position > after) all.push({ position, events });
  }
  return all;
}
