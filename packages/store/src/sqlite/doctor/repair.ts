// A new store from what can be read of a damaged one. The damaged files are kept beside it, as they were.

import { constants, copyFileSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { StoreError } from '../../errors.ts';
import type { Connection } from '../connection.ts';
import { settleEpoch } from '../epoch.ts';
import { toStoreError } from '../errors.ts';
import { isLiving, type Processes, systemProcesses } from '../holder.ts';
import { openConnection } from '../open.ts';
import { syncFolder } from '../private-files.ts';
import { holderOf, type StreamRow } from '../stream-row.ts';
import { checkNotNewer, doneMigrations } from '../version.ts';
import { mendHeader } from './header.ts';
import type { Hole } from './hole.ts';
import { copyOwnTables } from './own-tables.ts';
import { openPages } from './pages.ts';
import { copyLines, findStreams } from './salvage.ts';
import { settleStreams } from './settle-streams.ts';

export interface RepairOptions {
  readonly processes?: Processes | undefined;
  readonly now?: (() => number) | undefined;
}

export interface RepairReport {
  readonly file: string;
  /** The damaged file, as it was. */
  readonly keptAs: string;
  readonly lines: number;
  readonly streams: number;
  /** Lines that are known to be lost. */
  readonly holes: readonly Hole[];
  /** Streams of which only lines were found. */
  readonly nameless: number;
  /** What people have said about sessions, and could not be read as a whole. */
  readonly lostTables: readonly string[];
}

/** Makes the store anew. Fails as `busy` while a living process writes to it. */
export async function repairStore(path: string, options: RepairOptions = {}): Promise<RepairReport> {
  const { processes = systemProcesses, now = Date.now } = options;
  const file = resolve(path);
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    throw new StoreError('not-found', `There is no store ${file}.`);
  const stamp = new Date(now()).toISOString().replaceAll(':', '').replace('.', '');
  const [keptAs, copy, fresh] = ['damaged', 'copy', 'new'].map((word) => `${file}.${word}-${stamp}`);
  if (keptAs === undefined || copy === undefined || fresh === undefined) throw new TypeError('unreachable');
  try {
    // SQLite would write to a file that it only opens to read: it mends what a crash left.
    copyDatabase(file, copy);
    const pages = openPages(copy);
    const connection = await openConnection({ file: fresh });
    try {
      const streams = findStreams(pages);
      await mustBeIdle(streams, processes, now());
      const lines = copyLines(pages, connection.raw);
      const lostTables = copyOther(copy, connection);
      const { holes, nameless } = settleStreams(connection, streams, stamp);
      await settleEpoch(connection);
      const count = Number(connection.raw.prepare('SELECT count(*) FROM streams').pluck().get());
      connection.raw.pragma('wal_checkpoint(TRUNCATE)');
      connection.close();
      exchange(file, fresh, keptAs);
      return { file, keptAs, lines, streams: count, holes, nameless, lostTables };
    } finally {
      pages.close();
      if (connection.raw.open) connection.close();
    }
  } catch (error) {
    throw toStoreError(error, file);
  } finally {
    for (const rest of [copy, fresh]) for (const suffix of SUFFIXES) rmSync(rest + suffix, { force: true });
  }
}

const SUFFIXES = ['', '-wal', '-shm'];

/** Modes come along. The -shm file is only a map of the -wal file, which is made again. */
function copyDatabase(from: string, to: string): void {
  for (const suffix of ['', '-wal']) {
    if (statSync(from + suffix, { throwIfNoEntry: false }) === undefined) continue;
    copyFileSync(from + suffix, to + suffix, constants.COPYFILE_EXCL);
  }
}

async function mustBeIdle(streams: ReadonlyMap<number, StreamRow>, processes: Processes, now: number): Promise<void> {
  for (const stream of streams.values()) {
    const holder = holderOf(stream);
    if (holder !== undefined && (await isLiving(holder, processes, now))) {
      throw new StoreError('busy', `Process ${holder.pid} writes to the store. Stop it before the store is repaired.`);
    }
  }
}

/** What SQLite itself can still read: what people said about sessions. */
function copyOther(copy: string, into: Connection): readonly string[] {
  let raw: BetterSqlite3.Database | undefined;
  try {
    mendHeader(copy, into.file);
    raw = new BetterSqlite3(copy, { fileMustExist: true });
    mustNotBeNewer(raw, copy);
  } catch (error) {
    raw?.close();
    if (error instanceof StoreError) throw error;
    raw = undefined;
  }
  const lost = copyOwnTables(raw, into.raw);
  raw?.close();
  return lost;
}

/** The names of its steps may be what is damaged: the rest is read all the same. */
function mustNotBeNewer(raw: BetterSqlite3.Database, copy: string): void {
  try {
    checkNotNewer(doneMigrations(raw), copy);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'corrupt')) throw error;
  }
}

/** The old files get their second name before anything takes their place, so that at no moment they could get lost. */
function exchange(file: string, fresh: string, keptAs: string): void {
  for (const suffix of SUFFIXES) {
    if (statSync(file + suffix, { throwIfNoEntry: false }) !== undefined) linkSync(file + suffix, keptAs + suffix);
  }
  syncFolder(dirname(file));
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  renameSync(fresh, file);
  syncFolder(dirname(file));
}
