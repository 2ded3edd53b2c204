// Brings what is made of the record up to date, behind the writers and never in their way: lines are folded outside of any
// transaction, and rows are written in short ones. A session that goes on stays in memory; one that is not there is made anew from
// its lines. Either way its lines are folded in the order of the record, so the rows do not depend on who made them when.

import { EVENTS_VERSION, type PriceTable } from '@tailrace/core';
import type { CatchUp } from '../../contract.ts';
import type { Told } from '../../project/chunks.ts';
import type { FoldOptions } from '../../project/fold-session.ts';
import { PRICE_TABLE } from '../../usage/prices.ts';
import type { Connection } from '../connection.ts';
import { beginEpoch } from '../epoch.ts';
import { type Processes, systemProcesses } from '../holder.ts';
import type { StreamRow } from '../stream-row.ts';
import { write } from '../transaction.ts';
import { createDirtyStreams } from './dirty-streams.ts';
import { createEstimate } from './estimate.ts';
import { createKnownSessions } from './known-sessions.ts';
import { createPass, type PassOptions } from './pass.ts';
import { scrubSearch } from './scrub-search.ts';
import { createSessionLines } from './session-lines.ts';
import { createSessionStreams } from './session-streams.ts';
import { createTellings } from './tellings.ts';
import { createTurns, type Turn } from './turn.ts';

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

interface CatchUpOptions extends PassOptions {
  readonly waitMs?: number | undefined;
}

/** Changes with every change of the rows that are made of the same events. */
const ROWS_VERSION = 7;
const MEMORY_BYTES: number = 128 * 1024 * 1024;
const WAIT_MS = 30_000;

export function createProjector(connection: Connection, options: ProjectorOptions = {}): Projector {
  const { raw } = connection;
  const { clock = Date.now, processes = systemProcesses, restMs = 0, prices, makeDecoder } = options;
  const version = [ROWS_VERSION, EVENTS_VERSION, options.pricesVersion ?? '', PRICE_TABLE.source].join('.');
  const estimate = createEstimate();
  const turns = createTurns(connection, processes, clock);
  const lines = createSessionLines(connection);
  const streams = createSessionStreams(connection, lines, processes, clock);
  const known = createKnownSessions(lines, streams, {
    memoryBytes: options.memoryBytes ?? MEMORY_BYTES,
    prices,
    makeDecoder,
    toldOf: (session) => (isEpochNew ? undefined : { told: told.get(session), end: state.get()?.told ?? 0 }),
  });
  const told = raw.prepare<[string], Told>(
    'SELECT told_last AS last, told_digest AS digest FROM sessions WHERE id = ?',
  );
  const state = raw.prepare<[], { version: string; position: number; told: number }>(
    'SELECT version, position, told FROM projection',
  );
  const setState = raw.prepare('UPDATE projection SET version = ?, position = ? WHERE id = 1');
  const setTold = raw.prepare('UPDATE projection SET told = ? WHERE id = 1');
  const forgetVersions = raw.prepare("UPDATE projected_streams SET version = ''");
  const last = raw.prepare<[], number | null>('SELECT max(position) FROM lines').pluck();
  const lastTelling = raw.prepare<[], number | null>('SELECT max(told) FROM tellings').pluck();
  const openSessions = raw.prepare<[], string>('SELECT id FROM sessions WHERE is_ended = 0').pluck();
  const anySession = raw.prepare<[], number>('SELECT 1 FROM sessions LIMIT 1').pluck();
  /** Nobody has a position of this epoch yet. */
  let isEpochNew = false;
  /** Calls in this process follow each other. */
  let queue: Promise<unknown> = Promise.resolve();

  function behind(): number {
    return Math.max((last.get() ?? 0) - (state.get()?.position ?? 0), 0);
  }

  /** A pass that was broken off may have said what nobody is told before the next one ends. */
  const hasUntold = (): boolean => (lastTelling.get() ?? 0) > (state.get()?.told ?? 0);
  const hasLines = (): boolean => behind() > 0 || state.get()?.version !== version || hasUntold();

  async function isAtRest(counted: readonly StreamRow[]): Promise<boolean> {
    const heard = counted.reduce((latest, { last_at: at }) => Math.max(latest, at ?? 0), 0);
    if (restMs > 0 && clock() - heard < restMs) return false;
    return !(await streams.isWritten(counted));
  }

  /** Sessions that were being written when they were last looked at, and are not any more. */
  async function restingSessions(): Promise<readonly string[]> {
    const resting: string[] = [];
    for (const session of openSessions.all()) if (await isAtRest(streams.of(session).counted)) resting.push(session);
    return resting;
  }

  async function run(given: CatchUpOptions, isAnew: boolean): Promise<CatchUp> {
    const none = { lines: 0, sessions: 0 };
    if (connection.readOnly) return { ...none, behind: behind() };
    if (!isAnew && !hasLines() && (await restingSessions()).length === 0) return { ...none, behind: 0 };
    const { waitMs = WAIT_MS, signal } = given;
    const turn = await turns.take({ waitMs, signal, isWanted: () => isAnew || hasLines() });
    if (!turn) return { ...none, behind: behind() };
    try {
      if (isAnew || !turn.isOurs) known.clear();
      if (isAnew) {
        await inTurn(turn, () => {
          forgetVersions.run();
          setState.run('', 0);
        });
      }
      return { ...(await pass(turn, given)), behind: behind() };
    } catch (error) {
      // What is in memory may be ahead of what was written.
      known.clear();
      throw error;
    } finally {
      await turn.release();
    }
  }

  function inTurn(turn: Turn, work: () => void): Promise<void> {
    return write(
      connection,
      () => {
        turn.check();
        work();
      },
      { isDurable: false },
    );
  }

  async function pass(turn: Turn, given: CatchUpOptions): Promise<Omit<CatchUp, 'behind'>> {
    const target = last.get() ?? 0;
    const before = state.get() ?? { version: '', position: 0, told: 0 };
    const tellings = createTellings(connection, Math.max(target, before.told, lastTelling.get() ?? 0));
    const { sweep, bring } = createPass(
      { connection, lines, streams, known, version, estimate, isAtRest, tellings },
      turn,
      given,
    );
    await scrubSearch(connection);
    await sweep();
    const isAll = before.version !== version;
    isEpochNew = isAll;
    // Another version gives other events: whoever has a position of the old ones begins again.
    if (isAll && anySession.get()) await inTurn(turn, () => beginEpoch(connection));
    const dirty = createDirtyStreams(connection, lines, version, (work) => inTurn(turn, work));
    const work = await dirty.find({ position: before.position, target, isAll });
    const sessions = new Set([...work.sessions, ...(await restingSessions())]);
    const done = await bring(work, [...sessions], target);
    if (given.signal?.aborted) return done;
    await inTurn(turn, () => {
      setState.run(version, target);
      setTold.run(tellings.end());
    });
    given.onProgress?.(work.lines, work.lines);
    return done;
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
