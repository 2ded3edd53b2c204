// The events of many lines in one row: one JSON array `[position, events]` a line, with a third part where long texts are left out
// (long-texts.ts). A row for each line would make the index of the rows larger than what most lines have to tell.

import { Buffer } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import type { AgentStreamEvent } from '@tailrace/core';
import type { SessionEvents } from '../contract.ts';
import { leaveOut, putBack, type Reference } from './long-texts.ts';
import type { ChunkRow } from './rows.ts';

/** A row gets no larger than this, unless one line alone is. */
export const CHUNK_BYTES: number = 256 * 1024;

export interface Chunks {
  /** `line`: the one that told them. */
  add(position: number, events: readonly AgentStreamEvent[], line?: Uint8Array): void;
  /** What has come together since the last time. */
  take(): readonly ChunkRow[];
  /** How much waits, roughly in bytes. */
  readonly waiting: number;
  /** The last line that told something, and a digest of everything that lines have told. */
  told(): Told;
  /** From now on the digest up to this position is wanted, whatever comes behind it. */
  mark(position: number): void;
  toldAtMark(): string;
}

export interface Told {
  readonly last: number;
  readonly digest: string;
}

export function createChunks(): Chunks {
  const hash = createHash('sha1');
  let lastLine = 0;
  let mark = Number.POSITIVE_INFINITY;
  let atMark: string | undefined;
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
    told: () => ({ last: lastLine, digest: digestOf(hash) }),
    mark(position) {
      mark = position;
      atMark = undefined;
    },
    toldAtMark: () => atMark ?? digestOf(hash),
    add(position, events, line) {
      if (events.length === 0) return;
      const { value, references } = line ? leaveOut(events, line) : { value: events, references: [] };
      const rest = references.length > 0 ? `,${JSON.stringify(references)}` : '';
      // As bytes at once: to join long texts would copy them once more.
      const part = Buffer.from(`[${position},${JSON.stringify(value)}${rest}]\n`);
      if (position > mark) atMark ??= digestOf(hash);
      // What no line told is told only as long as no other line comes.
      if (Number.isInteger(position)) {
        hash.update(part);
        lastLine = position;
      }
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

function digestOf(hash: Hash): string {
  return hash.copy().digest('base64url');
}

/** What a line told, as it is kept: long texts are still in the line. */
export interface KeptEvents extends SessionEvents {
  readonly references: readonly Reference[];
}

/** The lines of a row behind a position and not behind another. */
export function parseChunk(
  text: string,
  { after, until = Number.POSITIVE_INFINITY }: { readonly after: number; readonly until?: number },
): readonly KeptEvents[] {
  const all: KeptEvents[] = [];
  for (const line of text.split('\n')) {
    // Most readers want a part of a row; what they do not want is not parsed.
    const place = Number(line.slice(1, line.indexOf(',')));
    if (line === '' || place <= after || place > until) continue;
    // Written by `createChunks` and by nothing else.
    const [position, events, references = []] = JSON.parse(line) as [number, AgentStreamEvent[], Reference[]?];
    all.push({ position, events, references });
  }
  return all;
}

/** The same with its long texts. `lineAt` gives the bytes of a line. */
export function wholeOf(
  { position, events, references }: KeptEvents,
  lineAt: (position: number) => Uint8Array | undefined,
): SessionEvents {
  const bytes = references.length > 0 ? lineAt(position) : undefined;
  if (bytes) putBack(events, references, bytes);
  return { position, events };
}
