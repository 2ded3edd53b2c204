// Takes what the hooks have left in the spool into the record, each line once. The lines of one file go to many streams, each
// with a commit of its own; so each stream keeps how far it has got in each file, and the stream of all the rest keeps how far all
// have. Whoever has that one has the spool.

import { type Agent, agents as allAgents } from '@tailrace/core';
import type { Lease, LineRecord, NewLine } from '../contract.ts';
import { StoreError } from '../errors.ts';
import { type Cursor, factsOf, isUnchanged, parseCursor } from '../tail/cursor.ts';
import { createTail, type TailPiece } from '../tail/tail.ts';
import { canSeeWriters, openSpoolFile, putAside, removeFinal, type SpoolFile, spoolFilesIn } from './spool-files.ts';
import { readSpoolLine } from './spool-line.ts';

export interface HookImportOptions {
  /** The folder that the hooks write to. */
  readonly folder: string;
  readonly agents?: readonly Agent[] | undefined;
  readonly clock?: (() => number) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What a person has forgotten does not come back by itself. */
  readonly isForgotten?: ((sessionId: string) => Promise<boolean>) | undefined;
  /** A file of this size or age is put aside when it was read, and is taken away when it has been quiet for as long as `graceMs`. */
  readonly rotateBytes?: number | undefined;
  readonly rotateMs?: number | undefined;
  readonly graceMs?: number | undefined;
}

export interface HookReport {
  readonly lines: number;
  readonly bytes: number;
  /** Sessions that lines were of. */
  readonly sessions: number;
  /** Lines that are no payload of a known agent's: kept all the same. */
  readonly unknown: number;
  /** Lines of sessions that were forgotten: not kept. */
  readonly forgotten: number;
  /** Bytes of a last line that is not whole. */
  readonly waitingBytes: number;
  /** Files that were taken away, with all their lines in the record. */
  readonly removedFiles: number;
  /** Another process is at it. */
  readonly isBusy: boolean;
}

/** Where the lines are that belong to no session. */
export const UNKNOWN_HOOKS = 'hook:unknown';

const HOUR = 60 * 60 * 1000;
const ROTATE_BYTES = 8 * 1024 * 1024;
/** A payload may have 64 MiB, and something stands around it. */
const LONGEST_SPOOL_LINE = 64 * 1024 * 1024 + 1024;

/** How far a stream has got, by file: for the rest, the tail's own cursor. */
type Reached<T> = Readonly<Record<string, T>>;

/** Takes what is there. Fails when the record cannot go on; what was kept by then stays, and nothing comes twice. */
export async function importHooks(record: LineRecord, options: HookImportOptions): Promise<HookReport> {
  const { folder, agents = allAgents, clock = Date.now, signal, isForgotten } = options;
  const sums = { lines: 0, bytes: 0, unknown: 0, forgotten: 0, waitingBytes: 0, removedFiles: 0 };
  const sessions = new Set<string>();
  const report = (isBusy: boolean): HookReport => ({ ...sums, sessions: sessions.size, isBusy });
  const seen = await spoolFilesIn(folder);
  if (!(await hasWork(record, seen, (file, cursor) => isDue(file, cursor, options, clock())))) return report(false);
  const lease = await claimIfFree(record);
  if (!lease) return report(true);
  try {
    // Whoever had the spool before may have put a file aside since: only what is there now has the names that it has now.
    const files = await spoolFilesIn(folder);
    const reached = new Map(Object.entries(readReached<string>(lease.stream.cursor)));
    const isThere = new Set(files.map(({ id }) => id));
    for (const id of reached.keys()) if (!isThere.has(id)) reached.delete(id);
    let nextSeq = lease.stream.nextSeq;
    for (const file of files) {
      await takeFile(file);
      await tidy(file);
    }

    async function takeFile(file: SpoolFile): Promise<void> {
      const cursor = reached.get(file.id);
      const tail = createTail({ path: file.path, cursor, maxLineBytes: LONGEST_SPOOL_LINE, open: openSpoolFile });
      for (;;) {
        const piece = signal?.aborted ? undefined : await tail.read();
        if (!piece) return;
        if (piece.lines.length > 0) await takePiece(file, piece);
        if (piece.isMore) continue;
        sums.waitingBytes += piece.waiting;
        return;
      }
    }

    async function takePiece(file: SpoolFile, piece: TailPiece): Promise<void> {
      const { known, rest, end } = sortLines(piece, clock(), agents);
      for (const [name, feed] of known) {
        if (await isForgotten?.(feed.sessionId)) sums.forgotten += feed.lines.length;
        else await keepFeed(name, feed, file.id, end);
      }
      reached.set(file.id, piece.cursor ?? '');
      await record.append(UNKNOWN_HOOKS, nextSeq, rest, { cursor: JSON.stringify(Object.fromEntries(reached)) });
      nextSeq += rest.length;
      sums.unknown += rest.length;
      count(rest);
    }

    async function keepFeed(name: string, { agent, sessionId, lines }: Feed, id: string, end: number): Promise<void> {
      const own = await record.claim(name, { kind: 'hook', agent, sessionId });
      try {
        const before = readReached<number>(own.stream.cursor);
        const fresh = lines.filter(({ offset }) => offset >= (before[id] ?? 0)).map(({ line }) => line);
        const kept = Object.entries(before).filter(([one]) => isThere.has(one));
        const cursor = JSON.stringify({ ...Object.fromEntries(kept), [id]: end });
        if (fresh.length > 0) await record.append(name, own.stream.nextSeq, fresh, { cursor });
        sessions.add(sessionId);
        count(fresh);
      } finally {
        await own.release();
      }
    }

    function count(lines: readonly NewLine[]): void {
      sums.lines += lines.length;
      for (const { bytes } of lines) sums.bytes += bytes.length;
    }

    /** Nothing is put aside or taken away that has a byte which is not in the record. */
    async function tidy(file: SpoolFile): Promise<void> {
      const cursor = parseCursor(reached.get(file.id));
      if (!cursor || signal?.aborted || !isDue(file, cursor, options, clock())) return;
      if (file.isLive) await putAside(folder, file);
      else if (await removeFinal(file, cursor.offset)) sums.removedFiles++;
    }
  } finally {
    await lease.release();
  }
  return report(false);
}

/** Whether there is anything to read or to tidy up. Most of the time there is not, and then nothing is written either. */
async function hasWork(
  record: LineRecord,
  files: readonly SpoolFile[],
  isDueFor: (file: SpoolFile, cursor: Cursor) => boolean,
): Promise<boolean> {
  if (files.length === 0) return false;
  const reached = readReached<string>((await record.stream(UNKNOWN_HOOKS))?.cursor);
  return files.some((file) => {
    const cursor = parseCursor(reached[file.id]);
    return !cursor || !isUnchanged(cursor, factsOf(file.stats)) || isDueFor(file, cursor);
  });
}

/** Whether a file that was read to its end is to be put aside, or one that was put aside is to be taken away. */
function isDue({ stats, isLive }: SpoolFile, cursor: Cursor, options: HookImportOptions, now: number): boolean {
  const { rotateBytes = ROTATE_BYTES, rotateMs = HOUR, graceMs = canSeeWriters ? HOUR : 24 * HOUR } = options;
  if (cursor.offset !== cursor.size) return false;
  const age = (time: bigint): number => now - Number(time / 1_000_000n);
  if (!isLive) return Math.min(age(stats.mtimeNs), age(stats.ctimeNs)) >= graceMs;
  return cursor.size >= rotateBytes || (stats.birthtimeNs > 0n && age(stats.birthtimeNs) >= rotateMs);
}

/** What one session's hooks told. */
interface Feed {
  readonly agent: string;
  readonly sessionId: string;
  readonly lines: { readonly offset: number; readonly line: NewLine }[];
}

function sortLines(
  piece: TailPiece,
  now: number,
  agents: readonly Agent[],
): { readonly known: ReadonlyMap<string, Feed>; readonly rest: readonly NewLine[]; readonly end: number } {
  const known = new Map<string, Feed>();
  const rest: NewLine[] = [];
  let offset = piece.offset;
  for (const bytes of piece.lines) {
    const { at = now, agent, sessionId, bytes: kept } = readSpoolLine(bytes, agents);
    const line: NewLine = { at, source: 'hook', bytes: kept };
    if (agent === undefined || sessionId === undefined) rest.push(line);
    else {
      const name = `hook:${agent}:${sessionId}`;
      const feed = known.get(name) ?? { agent, sessionId, lines: [] };
      known.set(name, feed);
      feed.lines.push({ offset, line });
    }
    offset += bytes.length;
  }
  return { known, rest, end: offset };
}

async function claimIfFree(record: LineRecord): Promise<Lease | undefined> {
  try {
    return await record.claim(UNKNOWN_HOOKS, { kind: 'hook' });
  } catch (error) {
    if (error instanceof StoreError && error.code === 'busy') return undefined;
    throw error;
  }
}

/** Our own words, but from a file: what is not as it should be counts as nothing. */
function readReached<T>(cursor: string | undefined): Reached<T> {
  try {
    const value: unknown = JSON.parse(cursor ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Reached<T>) : {};
  } catch {
    return {};
  }
}
