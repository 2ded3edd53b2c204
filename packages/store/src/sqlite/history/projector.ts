// Brings what is made of the record up to date, behind the writers and never in their way: lines are folded outside of any
// transaction, and rows are written in short ones. A session that goes on stays in memory; one that is not there is made anew from
// its lines. Either way its lines are folded in the order of the record, so the rows do not depend on who made them when.

import { setImmediate as breathe } from 'node:timers/promises';
import { EVENTS_VERSION, type PriceTable } from '@tailrace/core';
import type { CatchUp } from '../../contract.ts';
import { type FoldOptions, foldSession, type SessionFolding } from '../../project/fold-session.ts';
import type { SessionHead } from '../../project/rows.ts';
import type { Connection } from '../connection.ts';
import { beginEpoch } from '../epoch.ts';
import { type Processes, systemProcesses } from '../holder.ts';
import type { StreamRow } from '../stream-row.ts';
import { write } from '../transaction.ts';
import { createDirtyStreams, type Work } from './dirty-streams.ts';
import { moveLabels } from './labels.ts';
import { type PackedChanges, pack } from './pack.ts';
import { createSessionLines } from './session-lines.ts';
import { createSessionStreams } from './session-streams.ts';
import { createTurns, type Turn } from './turn.ts';
import { createRowWriter, type WrittenHead } from './write-rows.ts';

export interface ProjectorOptions {
  readonly clock?: (() => number) | undefined;
  readonly prices?: PriceTable | undefined;
  /** What the prices are called: with others, everything is made anew. */
  readonly pricesVersion?: string | undefined;
  readonly processes?: Processes | undefined;
  /** A session that nobody writes to counts as over after so much silence. For a process that goes on watching; else none. */
  readonly restMs?: number | undefined;
  /** How much is kept in memory of sessions that go on, roughly in bytes. */
  readonly memoryBytes?: number | undefined;
  readonly makeDecoder?: FoldOptions['makeDecoder'];
}

export interface Projector {
  catchUp(options?: CatchUpOptions): Promise<CatchUp>;
  rebuild(): Promise<CatchUp>;
  /** The sessions that somebody writes to. */
  written(): Promise<readonly string[]>;
}

export interface CatchUpOptions {
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

/** Changes with every change of the rows that are made of the same events. */
const ROWS_VERSION = 1;

/** One transaction writes about so much. */
const WRITE_BYTES: number = 2 * 1024 * 1024;
const WRITE_SESSIONS = 64;
/** Other work of the process waits no longer than this for folding. */
const SLICE_MS = 8;
const MEMORY_BYTES: number = 128 * 1024 * 1024;
const WAIT_MS = 30_000;

/** A session in memory. */
interface Known {
  readonly folding: SessionFolding;
  /** The rows that it has written; none yet when it is made anew. */
  build: number | undefined;
  /** Its rows are not shown yet. */
  isHidden: boolean;
  written: WrittenHead | undefined;
  /** All lines of its streams up to here are folded. */
  target: number;
  readonly seqs: Map<number, number>;
  readonly facts: Map<number, string>;
  /** What one stream tells was needed to read another: it is not gone on with, but made anew. */
  isFixed: boolean;
}

/** Something that waits to be written. */
interface Pending {
  readonly session: string;
  readonly known: Known;
  readonly changes: Promise<PackedChanges>;
  readonly head: SessionHead;
  readonly streams: readonly StreamRow[];
}

export function createProjector(connection: Connection, options: ProjectorOptions = {}): Projector {
  const { raw } = connection;
  const { clock = Date.now, processes = systemProcesses, restMs = 0, memoryBytes = MEMORY_BYTES } = options;
  const version = [ROWS_VERSION, EVENTS_VERSION, options.pricesVersion ?? ''].join('.');
  const turns = createTurns(connection, processes, clock);
  const lines = createSessionLines(connection);
  const streams = createSessionStreams(connection, lines, processes, clock);
  const rows = createRowWriter(connection, version);
  const state = raw.prepare<[], { version: string; position: number }>('SELECT version, position FROM projection');
  const setState = raw.prepare('UPDATE projection SET version = ?, position = ? WHERE id = 1');
  const forgetVersions = raw.prepare("UPDATE projected_streams SET version = ''");
  const last = raw.prepare<[], number | null>('SELECT max(position) FROM lines').pluck();
  const openSessions = raw.prepare<[], string>('SELECT id FROM sessions WHERE is_ended = 0').pluck();
  const anySession = raw.prepare<[], number>('SELECT 1 FROM sessions LIMIT 1').pluck();
  const advance = raw.prepare(
    `INSERT INTO projected_streams (stream, session, is_told, seq, version) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (stream) DO UPDATE SET session = excluded.session, seq = excluded.seq, version = excluded.version`,
  );
  const nextSeq = raw.prepare<[number], number>('SELECT next_seq FROM streams WHERE id = ?').pluck();
  const memory = new Map<string, Known>();
  /** Calls in this process follow each other. */
  let queue: Promise<unknown> = Promise.resolve();

  function behind(): number {
    return Math.max((last.get() ?? 0) - (state.get()?.position ?? 0), 0);
  }

  /** Whether there is anything to do at all, without asking for the turn. */
  async function isWanted(): Promise<boolean> {
    if (behind() > 0 || state.get()?.version !== version) return true;
    for (const session of openSessions.all()) if (await isAtRest(streams.of(session).counted)) return true;
    return false;
  }

  async function isAtRest(counted: readonly StreamRow[]): Promise<boolean> {
    const heard = counted.reduce((latest, { last_at: at }) => Math.max(latest, at ?? 0), 0);
    if (restMs > 0 && clock() - heard < restMs) return false;
    return !(await streams.isWritten(counted));
  }

  async function run(given: CatchUpOptions, isAnew: boolean): Promise<CatchUp> {
    const none = { lines: 0, sessions: 0 };
    if (connection.readOnly) return { ...none, behind: behind() };
    if (!isAnew && !(await isWanted())) return { ...none, behind: 0 };
    const { waitMs = WAIT_MS, signal } = given;
    const turn = await turns.take({
      waitMs,
      signal,
      isWanted: () => isAnew || behind() > 0 || state.get()?.version !== version,
    });
    if (!turn) return { ...none, behind: behind() };
    try {
      if (!turn.isOurs) memory.clear();
      if (isAnew) {
        memory.clear();
        await inTurn(turn, () => {
          forgetVersions.run();
          setState.run('', 0);
        });
      }
      const done = await pass(turn, given);
      return { ...done, behind: behind() };
    } catch (error) {
      // What is in memory may be ahead of what was written.
      memory.clear();
      throw error;
    } finally {
      await turn.release();
    }
  }

  function inTurn<T>(turn: Turn, work: () => T): Promise<T> {
    return write(connection, () => {
      turn.check();
      return work();
    });
  }

  async function sweep(turn: Turn): Promise<void> {
    while (await inTurn(turn, () => rows.sweep())) await breathe();
  }

  async function pass(turn: Turn, { signal, onProgress }: CatchUpOptions): Promise<Omit<CatchUp, 'behind'>> {
    const target = last.get() ?? 0;
    const before = state.get() ?? { version: '', position: 0 };
    const dirty = createDirtyStreams(connection, lines, version, (work) => inTurn(turn, work));
    await sweep(turn);
    const isAll = before.version !== version;
    // Another version gives other events: whoever has a position of the old ones begins again.
    if (isAll && anySession.get()) await inTurn(turn, () => beginEpoch(connection));
    const work = await dirty.find({ position: before.position, target, isAll });
    const todo = [...work.sessions, ...(await restingSessions(work))];
    const pending: Pending[] = [];
    let bytes = 0;
    let done = 0;
    let sessions = 0;
    let slice = performance.now();

    async function flush(): Promise<void> {
      const batch = pending.splice(0);
      if (batch.length > 0) {
        const packed = await Promise.all(batch.map(async (one) => ({ ...one, changes: await one.changes })));
        const written = await inTurn(turn, () => rows.batch(() => packed.map(writeSession)));
        // Only now is it sure.
        batch.forEach(({ known }, index) => Object.assign(known, written[index]));
      }
      bytes = 0;
      await sweep(turn);
    }

    async function bring(session: string): Promise<void> {
      const { all, counted } = streams.of(session);
      if (all.length === 0) {
        await flush();
        await inTurn(turn, () => {
          rows.drop(session);
          const moved = work.moves.get(session);
          if (moved !== undefined) moveLabels(raw, session, moved);
        });
        memory.delete(session);
        return;
      }
      const known = goOn(memory.get(session), counted) ?? (await begin(counted));
      // Until it is written, memory and rows are not of one mind.
      memory.delete(session);
      const wanted = counted.map(({ id, name }) => ({ id, name, fromSeq: (known.seqs.get(id) ?? 0) + 1 }));
      const ids = new Map(counted.map(({ id, name }) => [name, id]));
      let part: Promise<PackedChanges> | undefined;
      const writePart = async (): Promise<void> => {
        const changes = await part;
        part = undefined;
        if (changes) known.build = await inTurn(turn, () => rows.batch(() => writeHidden(known, changes, counted)));
      };
      for (const line of lines.read(wanted, target)) {
        known.folding.feed(line);
        known.seqs.set(ids.get(line.stream) ?? 0, line.seq);
        done++;
        if (known.folding.waiting > WRITE_BYTES) {
          // The part before is packed by now; this one is, while the next is folded.
          await writePart();
          part = pack(known.folding.take());
        }
        if (performance.now() - slice < SLICE_MS) continue;
        onProgress?.(Math.min(done, work.lines), work.lines);
        await breathe();
        slice = performance.now();
        if (!signal?.aborted) continue;
        await part;
        return;
      }
      await writePart();
      // All its lines have come since: they are for the next time.
      if (known.seqs.size === 0) return;
      known.target = target;
      if ((await isAtRest(counted)) && counted.every(({ id }) => (nextSeq.get(id) ?? 1) - 1 === (known.seqs.get(id) ?? 0)))
        known.folding.end();
      bytes += known.folding.waiting;
      const head = known.folding.head();
      pending.push({ session, known, changes: pack(known.folding.take()), head, streams: all });
      sessions++;
      if (bytes > WRITE_BYTES || pending.length >= WRITE_SESSIONS) await flush();
      if (!head.isEnded && !known.isFixed) remember(session, known);
    }

    async function begin(counted: readonly StreamRow[]): Promise<Known> {
      const folding = foldSession({ prices: options.prices, makeDecoder: options.makeDecoder });
      const described = streams.describe(counted, target);
      for (const stream of described.streams) folding.attach(stream);
      return {
        folding,
        build: undefined,
        isHidden: true,
        written: undefined,
        target: 0,
        seqs: new Map(),
        facts: new Map(counted.map((row) => [row.id, factsOf(row)])),
        isFixed: described.isLookedUp,
      };
    }

    /** The session in memory, if nothing has come that should have been folded before what is folded already. */
    function goOn(known: Known | undefined, counted: readonly StreamRow[]): Known | undefined {
      if (!known) return undefined;
      const ids = new Set(counted.map(({ id }) => id));
      for (const id of known.facts.keys()) if (!ids.has(id)) return undefined;
      const fresh: StreamRow[] = [];
      for (const row of counted) {
        const facts = known.facts.get(row.id);
        if (facts === undefined) fresh.push(row);
        else if (facts !== factsOf(row)) return undefined;
      }
      if (fresh.some(({ id }) => (lines.firstPosition(id, 1) ?? Number.POSITIVE_INFINITY) <= known.target)) return undefined;
      const described = streams.describe(fresh, target);
      if (described.isLookedUp) return undefined;
      for (const stream of described.streams) known.folding.attach(stream);
      for (const row of fresh) known.facts.set(row.id, factsOf(row));
      return known;
    }

    for (const session of todo) {
      if (signal?.aborted) break;
      await bring(session);
    }
    await flush();
    if (signal?.aborted) return { lines: done, sessions };
    await inTurn(turn, () => setState.run(version, target));
    onProgress?.(work.lines, work.lines);
    return { lines: done, sessions };
  }

  /** Sessions that were being written when they were last looked at, and are not any more. */
  async function restingSessions(work: Work): Promise<readonly string[]> {
    const todo = new Set(work.sessions);
    const resting: string[] = [];
    for (const session of openSessions.all())
      if (!todo.has(session) && (await isAtRest(streams.of(session).counted))) resting.push(session);
    return resting;
  }

  function remember(session: string, known: Known): void {
    memory.set(session, known);
    let size = 0;
    for (const { folding } of memory.values()) size += folding.size;
    for (const [oldest, { folding }] of memory) {
      if (size <= memoryBytes || memory.size === 1) break;
      memory.delete(oldest);
      size -= folding.size;
    }
  }

  /** A session that is too large to be written at once: its rows are shown when all are there. */
  function writeHidden(known: Known, changes: PackedChanges, counted: readonly StreamRow[]): number {
    const build = known.build ?? rows.newBuild();
    if (known.build === undefined) rows.retire(build);
    rows.changes(build, changes, streamIds(counted));
    return build;
  }

  function writeSession(
    { session, known, changes, head, streams: all }: Omit<Pending, 'changes'> & { readonly changes: PackedChanges },
  ): Partial<Known> {
    const build = known.build ?? rows.newBuild();
    if (known.isHidden) rows.keep(build);
    rows.changes(build, changes, streamIds(all));
    const written = rows.head(session, build, head, known.written);
    for (const { id, next_seq: next } of all) {
      // What does not count is taken up all the same.
      const seq = known.facts.has(id) ? (known.seqs.get(id) ?? 0) : next - 1;
      advance.run(id, session, seq, version);
    }
    return { build, written, isHidden: false };
  }

  function inQueue<T>(work: () => Promise<T>): Promise<T> {
    const next = queue.then(work, work);
    queue = next.catch(() => {});
    return next;
  }

  return {
    catchUp: (given = {}) => inQueue(() => run(given, false)),
    rebuild: () => inQueue(() => run({}, true)),
    written: () => streams.written(),
  };
}

function factsOf({ kind, agent, about }: StreamRow): string {
  return JSON.stringify([kind, agent, about]);
}

function streamIds(streams: readonly StreamRow[]): (name: string) => number {
  const ids = new Map(streams.map(({ id, name }) => [name, id]));
  return (name) => ids.get(name) ?? 0;
}
