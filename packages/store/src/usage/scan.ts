// The bill of whole trees of session files, gigabytes of them: only lines that count are parsed, files are read by several threads,
// and a file that has not changed is not opened.

import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import type { UsageEntry } from '../contract.ts';
import { readCache, writeCache } from './cache.ts';
import type { FileUsage } from './file-usage.ts';
import { type FoundFile, findFiles } from './files.ts';
import { foldFiles } from './fold.ts';
import { scanFiles } from './parallel.ts';

export interface ScanOptions {
  /** Folders with session files, however deep, or single files. */
  readonly dirs: readonly string[];
  /** The file that keeps what was found for the next time; none unless set. */
  readonly cache?: string | undefined;
  /** Threads beside this one; as many as the machine has processors left, unless set. */
  readonly workers?: number | undefined;
  /** Files that were last changed before this time are left out. */
  readonly changedSince?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ScannedUsage {
  readonly entries: Iterable<UsageEntry>;
  /** The models that any of them may have. */
  readonly models: ReadonlySet<string>;
  readonly files: number;
  readonly bytes: number;
  /** Bytes that were read now. */
  readonly readBytes: number;
  /** Files and folders that could not be read: what they tell is missing. */
  readonly unread: readonly string[];
  /** How many threads were at it. */
  readonly threads: number;
}

/** A worker takes some time to start: it is worth it from this many bytes on. */
const WORTH_A_WORKER = 24 * 1024 * 1024;

/** What the session files under some folders tell: each answer once, and what only totals tell. */
export async function scanUsage(options: ScanOptions): Promise<ScannedUsage> {
  const places = options.dirs.map(findFiles);
  const found = new Map(places.flatMap(({ files }) => files).map((file) => [file.path, file]));
  const kept = options.cache === undefined ? new Map<string, FileUsage>() : readCache(options.cache);
  const files: FileUsage[] = [];
  const jobs: { readonly path: string; readonly known: FileUsage | undefined; readonly bytes: number }[] = [];
  for (const file of found.values()) {
    if (file.mtimeMs < (options.changedSince ?? 0)) continue;
    const known = kept.get(file.path);
    if (known && isUnchanged(known, file)) files.push(known);
    else
      jobs.push({ path: file.path, known, bytes: file.size - (known && known.offset <= file.size ? known.offset : 0) });
  }
  // The longest first: nobody is left with a long one at the end.
  jobs.sort((a, b) => b.bytes - a.bytes);
  const readBytes = jobs.reduce((sum, { bytes }) => sum + bytes, 0);
  const spare = Math.max(0, availableParallelism() - 1);
  const workers = options.workers ?? Math.min(spare, Math.floor(readBytes / WORTH_A_WORKER));
  let threads = 1;
  const unread = new Set(places.flatMap((place) => place.unread));
  if (jobs.length > 0) {
    const read = await scanFiles(jobs, { workers, signal: options.signal });
    files.push(...read.files);
    threads = read.threads;
    for (const path of read.unread) unread.add(path);
  }
  if (options.cache !== undefined && jobs.length > 0) writeCache(options.cache, keepable(kept, options.dirs, files));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const bytes = [...found.values()].reduce((sum, { size }) => sum + size, 0);
  const models = new Set(files.flatMap((file) => file.models));
  return { entries: await foldFiles(files), models, files: found.size, bytes, readBytes, unread: [...unread], threads };
}

function isUnchanged(known: FileUsage, file: FoundFile): boolean {
  return known.dev === file.dev && known.ino === file.ino && known.size === file.size && known.mtimeMs === file.mtimeMs;
}

/** Files of trees that were not asked for now stay in the cache; those that are gone do not. */
function keepable(
  kept: ReadonlyMap<string, FileUsage>,
  dirs: readonly string[],
  files: readonly FileUsage[],
): readonly FileUsage[] {
  const isAsked = (path: string): boolean => dirs.some((dir) => path === dir || path.startsWith(join(dir, sep)));
  return [...files, ...[...kept.values()].filter(({ path }) => !isAsked(path))];
}
