// Takes what is new in one file into the record. The cursor is kept in the same commit as the lines: whatever breaks off in
// between, the next one begins exactly where the record ends.

import { stat } from 'node:fs/promises';
import type { Json } from '@tailrace/core';
import type { Lease, LineRecord, StreamFacts } from '../contract.ts';
import { factsOf, isUnchanged, parseCursor } from '../tail/cursor.ts';
import { openInside } from '../tail/open-file.ts';
import { createTail, type Tail } from '../tail/tail.ts';
import { readAbout } from './about.ts';
import type { FoundFile } from './discover.ts';
import { streamName } from './stream-name.ts';

/** What came of one try. */
export interface Taken {
  readonly lines: number;
  readonly bytes: number;
  /** Bytes of a last line that is not whole yet. */
  readonly waiting: number;
  /** Nothing was written to the file since the last time; it was not even opened. */
  readonly isUnchanged: boolean;
  /** There was nothing of this file in the record before. */
  readonly isNew: boolean;
  /** It was stopped, or has had its share: there is more. */
  readonly isMore: boolean;
}

export interface TakeOptions {
  readonly clock?: (() => number) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** After about so many bytes it lets others have their turn. */
  readonly share?: number | undefined;
  readonly maxLineBytes?: number | undefined;
  /** Asked about a sub-agent that no file beside it tells about. */
  readonly findTask?: ((file: FoundFile) => Promise<Json>) | undefined;
  /** What it gives is waited for before more is read. */
  readonly onLines?: ((kept: KeptLines) => unknown) | undefined;
}

/** Lines that are in the record now. */
export interface KeptLines {
  readonly file: FoundFile;
  readonly stream: string;
  readonly firstSeq: number;
  readonly lines: number;
  readonly bytes: number;
  /** Of the last of them. */
  readonly position: number;
}

/** One file on its way into the record. */
export interface Taker {
  /** Takes what is new. Fails as `busy` while another process has the file. After a failure it begins anew from what is kept. */
  take(): Promise<Taken>;
  /** Lets go of the file; it can be taken up again. */
  release(): Promise<void>;
}

/** The stream that is written now. */
interface Current {
  readonly leases: readonly Lease[];
  readonly stream: string;
  readonly generation: number;
  readonly tail: Tail;
  readonly isNew: boolean;
  nextSeq: number;
  cursor: string | undefined;
}

const NOTHING: Taken = { lines: 0, bytes: 0, waiting: 0, isUnchanged: false, isNew: false, isMore: false };

/** Takes one file, as often as it is asked. */
export function createTaker(record: LineRecord, file: FoundFile, options: TakeOptions = {}): Taker {
  const { clock = Date.now, share = Number.POSITIVE_INFINITY, signal, maxLineBytes, onLines } = options;
  let current: Current | undefined;

  return { take, release };

  async function take(): Promise<Taken> {
    const rest = current ? undefined : await restOfUnchanged();
    if (rest !== undefined) return { ...NOTHING, waiting: rest, isUnchanged: true };
    try {
      return await takeAll();
    } catch (error) {
      // What was kept of it is for the record to say.
      await release().catch(() => {});
      throw error;
    }
  }

  async function takeAll(): Promise<Taken> {
    let sum = NOTHING;
    for (;;) {
      if (signal?.aborted || sum.bytes >= share) return { ...sum, isMore: true };
      current ??= await begin();
      const piece = await current.tail.read();
      if (!piece) return sum;
      if (piece.generation !== current.generation) {
        await release();
        current = await begin(piece.generation);
        continue;
      }
      const bytes = piece.lines.reduce((size, line) => size + line.length, 0);
      if (piece.lines.length > 0 || piece.cursor !== current.cursor)
        await keep(current, piece.lines, bytes, piece.cursor);
      const isNew = sum.isNew || (current.isNew && piece.lines.length > 0);
      sum = { ...sum, lines: sum.lines + piece.lines.length, bytes: sum.bytes + bytes, waiting: piece.waiting, isNew };
      if (!piece.isMore) return sum;
    }
  }

  async function keep(
    to: Current,
    lines: readonly Uint8Array[],
    bytes: number,
    cursor: string | undefined,
  ): Promise<void> {
    const at = clock();
    const firstSeq = to.nextSeq;
    const kept = lines.map((line) => ({ at, source: 'transcript' as const, bytes: line }));
    const position = await record.append(to.stream, firstSeq, kept, { cursor });
    to.nextSeq += lines.length;
    to.cursor = cursor;
    if (lines.length > 0) await onLines?.({ file, stream: to.stream, firstSeq, lines: lines.length, bytes, position });
  }

  /** What waits in a file that nobody has written to since its cursor was kept; nothing for any other. */
  async function restOfUnchanged(): Promise<number | undefined> {
    const { cursor: text } = (await record.stream(streamName(file, await lastGeneration()))) ?? {};
    const cursor = parseCursor(text);
    if (!cursor) return undefined;
    const facts = await stat(file.path, { bigint: true }).then(factsOf, () => undefined);
    return facts && isUnchanged(cursor, facts) ? facts.size - cursor.offset : undefined;
  }

  async function lastGeneration(): Promise<number> {
    let generation = 1;
    while (await record.stream(streamName(file, generation + 1))) generation++;
    return generation;
  }

  /** Whoever has the stream of the first generation has the file. */
  async function begin(wanted?: number): Promise<Current> {
    const leases = [await record.claim(streamName(file, 1), await facts(1))];
    try {
      const generation = Math.max(wanted ?? 1, await lastGeneration());
      if (generation > 1) leases.push(await record.claim(streamName(file, generation), await facts(generation)));
      const { name, cursor, nextSeq } = leases.at(-1)?.stream ?? {};
      const tail = createTail({
        path: file.path,
        cursor,
        generation,
        maxLineBytes,
        open: (path) => openInside(file.root, path),
      });
      const stream = name ?? streamName(file, generation);
      return { leases, stream, generation, tail, isNew: nextSeq === 1, nextSeq: nextSeq ?? 1, cursor };
    } catch (error) {
      for (const lease of leases) await lease.release().catch(() => {});
      throw error;
    }
  }

  async function facts(generation: number): Promise<StreamFacts> {
    const kept = (await record.stream(streamName(file, generation)))?.about;
    const about = kept ?? (await readAbout(file)) ?? (await options.findTask?.(file));
    return {
      kind: 'transcript',
      path: file.path,
      ...(file.agent && { agent: file.agent.name }),
      ...(file.sessionId !== undefined && { sessionId: file.sessionId }),
      ...(about !== undefined && { about }),
    };
  }

  async function release(): Promise<void> {
    const leases = current?.leases ?? [];
    current = undefined;
    for (const lease of leases) await lease.release();
  }
}
