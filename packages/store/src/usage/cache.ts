// What was found in session files is kept for the next time. It is only ever a saving: one that is damaged, of another version or
// unreadable is no cache.

import { type FileUsage, STRIDE } from './file-usage.ts';
import { readPrivate, writePrivate } from './private-json.ts';

/** Another one when what is kept of a file, or how a line is read, has changed. */
const VERSION = 1;

interface Cache {
  readonly version: number;
  readonly files: readonly FileUsage[];
}

/** What is kept, by path. */
export function readCache(path: string): Map<string, FileUsage> {
  const kept = readPrivate(path);
  return new Map(isCache(kept) ? kept.files.map((file) => [file.path, file]) : []);
}

/** Keeps what was found. */
export function writeCache(path: string, files: readonly FileUsage[]): void {
  const cache: Cache = { version: VERSION, files };
  writePrivate(path, cache);
}

function isCache(value: unknown): value is Cache {
  // The file is our own; what is looked at is whether it is whole.
  const cache = value as Partial<Cache> | null | undefined;
  return cache?.version === VERSION && Array.isArray(cache.files) && cache.files.every(isWhole);
}

function isWhole(file: Partial<FileUsage> | null): boolean {
  return (
    typeof file?.path === 'string' &&
    Array.isArray(file.ids) &&
    Array.isArray(file.numbers) &&
    file.numbers.length === file.ids.length * STRIDE &&
    Array.isArray(file.models) &&
    Array.isArray(file.subagents) &&
    Array.isArray(file.totals)
  );
}
