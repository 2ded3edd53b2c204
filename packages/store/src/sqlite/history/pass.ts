// One pass over what is new: up to the last line that was there when it began, session by session.

import { setImmediate as breathe } from 'node:timers/promises';
import type { CatchUp } from '../../contract.ts';
import type { Connection } from '../connection.ts';
import type { StreamRow } from '../stream-row.ts';
import { write } from '../transaction.ts';
import type { Work } from './dirty-streams.ts';
import type { Estimate } from './estimate.ts';
import type { Known, KnownSessions } from './known-sessions.ts';
import { moveLabels } from './labels.ts';
import { createOwnShares } from './own-share.ts';
import { type PackedChanges, pack } from './pack.ts';
import { createSessionSaver, type Made } from './save-sessions.ts';
import type { SessionLines } from './session-lines.ts';
import type { SessionStreams } from './session-streams.ts';
import type { Tellings } from './tellings.ts';
import type { Turn } from './turn.ts';
import { createRowWriter } from './write-rows.ts';

export interface PassParts {
  readonly connection: Connection;
  readonly lines: SessionLines;
  readonly streams: SessionStreams;
  readonly known: KnownSessions;
  readonly version: string;
  readonly estimate: Estimate;
  readonly tellings: Tellings;
  /** Whether a session is over for now. */
  isAtRest(counted: readonly StreamRow[]): Promise<boolean>;
}

export interface PassOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

export interface Pass {
  /** Rows that nobody needs any more. */
  sweep(): Promise<void>;
  /** Brings these sessions up to date as far as the position. */
  bring(work: Work, sessions: readonly string[], target: number): Promise<Omit<CatchUp, 'behind'>>;
}

/** One transaction writes about so much. */
const WRITE_BYTES: number = 2 * 1024 * 1024;
const WRITE_SESSIONS = 64;
/** Other work of the process waits no longer than this for folding. */
const SLICE_MS = 8;

type Waiting = Omit<Made, 'changes'> & { readonly changes: Promise<PackedChanges> };

export function createPass(parts: PassParts, turn: Turn, { signal, onProgress }: PassOptions): Pass {
  const { connection, lines, streams, known: memory, version, estimate, tellings } = parts;
  const { raw } = connection;
  const rows = createRowWriter(connection, version);
  const shares = createOwnShares(connection, estimate);
  const saver = createSessionSaver(connection, rows, version, tellings);
  const nextSeq = raw.prepare<[number], number>('SELECT next_seq FROM streams WHERE id = ?').pluck();
  const waiting: Waiting[] = [];
  let bytes = 0;
  let done = 0;
  let sessions = 0;
  let slice = performance.now();

  function inTurn<T>(work: () => T): Promise<T> {
    // What is lost in a power cut is made again.
    return write(
      connection,
      () => {
        turn.check();
        return work();
      },
      { isDurable: false },
    );
  }

  async function sweep(): Promise<void> {
    while (await inTurn(() => rows.sweep())) await breathe();
  }

  async function flush(): Promise<void> {
    const batch = waiting.splice(0);
    if (batch.length > 0) {
      const made = await Promise.all(batch.map(async (one) => ({ ...one, changes: await one.changes })));
      const settled = await shares.settle(made);
      const saved = await inTurn(() => saver.save(made, settled));
      // Only now is it sure.
      for (const [index, { known }] of batch.entries()) Object.assign(known, saved[index]);
    }
    bytes = 0;
    await sweep();
  }

  /** A session that has no stream any more. */
  async function drop(session: string, moved: string | undefined): Promise<void> {
    await flush();
    await inTurn(() => {
      if (rows.drop(session)) tellings.gone(session, moved);
      if (moved !== undefined) moveLabels(raw, session, moved);
    });
    memory.drop(session);
  }

  /** Folds the lines; false when it was told to stop. */
  async function fold(
    session: string,
    known: Known,
    counted: readonly StreamRow[],
    { target, all }: { readonly target: number; readonly all: number },
  ): Promise<boolean> {
    const { folding, seqs } = known;
    const wanted = counted.map(({ id, name }) => ({ id, name, fromSeq: (seqs.get(id) ?? 0) + 1 }));
    const ids = new Map(counted.map(({ id, name }) => [name, id]));
    let part: Promise<PackedChanges> | undefined;
    const writePart = async (): Promise<void> => {
      const changes = await part;
      part = undefined;
      if (changes) known.build = await inTurn(() => saver.part(session, known, changes, counted));
    };
    for (const line of lines.read(wanted, target)) {
      folding.feed(line);
      seqs.set(ids.get(line.stream) ?? 0, line.seq);
      done++;
      if (folding.waiting > WRITE_BYTES) {
        // The part before is packed by now; this one is, while the next is folded.
        await writePart();
        part = pack(folding.take());
      }
      if (performance.now() - slice < SLICE_MS) continue;
      onProgress?.(Math.min(done, all), all);
      await breathe();
      slice = performance.now();
      if (!signal?.aborted) continue;
      await part;
      return false;
    }
    await writePart();
    return true;
  }

  async function bringOne(session: string, work: Work, target: number): Promise<void> {
    const { all, counted } = streams.of(session);
    if (all.length === 0) return drop(session, work.moves.get(session));
    const known = memory.take(session, counted, target);
    const { folding, seqs } = known;
    const isDone = await fold(session, known, counted, { target, all: work.lines });
    // Without a line, all its lines have come since: they are for the next time.
    if (!isDone || seqs.size === 0) return;
    known.target = target;
    const isWhole = (): boolean => counted.every(({ id }) => (nextSeq.get(id) ?? 1) - 1 === (seqs.get(id) ?? 0));
    if ((await parts.isAtRest(counted)) && isWhole()) folding.end();
    bytes += folding.waiting;
    const head = await estimate.ofSession(folding.head());
    waiting.push({ session, known, changes: pack(folding.take()), head, streams: all });
    sessions++;
    if (bytes > WRITE_BYTES || waiting.length >= WRITE_SESSIONS) await flush();
    if (!head.isEnded && !known.isFixed) memory.put(session, known);
    onProgress?.(Math.min(done, work.lines), work.lines);
  }

  return {
    sweep,
    async bring(work, todo, target) {
      for (const session of todo) {
        if (signal?.aborted) break;
        await bringOne(session, work, target);
      }
      await flush();
      return { lines: done, sessions };
    },
  };
}
