// What was found in session files is kept for the next time: a line of JSON with the names, and then all numbers as they lie in
// memory, since they are most of it. It is only ever a saving: one that is damaged, of another version or unreadable is no cache.

import { parseJson } from '../json.ts';
import { type FileUsage, STRIDE } from './file-usage.ts';
import { readPrivateBytes, writePrivateBytes } from './saved-file.ts';

/** Another one when what is kept of a file, or how a line is read, has changed. */
const VERSION = 3;
const LINE_FEED = 10;
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;

type Names = Omit<FileUsage, 'numbers'>;

interface Head {
  readonly version: number;
  /** Numbers are read by a machine of the same kind. */
  readonly probe: number;
  readonly files: readonly Names[];
}

/** What is kept, by path. */
export function readCache(path: string): Map<string, FileUsage> {
  const bytes = readPrivateBytes(path);
  const end = bytes?.indexOf(LINE_FEED) ?? -1;
  const head = bytes && end > 0 ? parseJson(bytes.toString('utf8', 0, end)) : undefined;
  if (!bytes || !isHead(head)) return new Map();
  const count = head.files.reduce((sum, { ids }) => sum + ids.length * STRIDE, 1);
  const start = align(end + 1);
  if (bytes.length !== start + count * NUMBER_BYTES) return new Map();
  // Copied, so that they lie where numbers may.
  const numbers = new Float64Array(count);
  bytes.copy(new Uint8Array(numbers.buffer), 0, start);
  if (numbers[0] !== head.probe) return new Map();
  let at = 1;
  return new Map(
    head.files.map((names) => {
      const length = names.ids.length * STRIDE;
      at += length;
      return [names.path, { ...names, numbers: numbers.subarray(at - length, at) }];
    }),
  );
}

/** Keeps what was found. */
export function writeCache(path: string, files: readonly FileUsage[]): void {
  const probe = Math.PI;
  const names = files.map(({ numbers: _, ...rest }): Names => rest);
  const head: Head = { version: VERSION, probe, files: names };
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  const count = files.reduce((sum, { ids }) => sum + ids.length * STRIDE, 1);
  const numbers = new Float64Array(count);
  numbers[0] = probe;
  let at = 1;
  for (const file of files) {
    const length = file.ids.length * STRIDE;
    numbers.set(file.numbers.subarray(0, length), at);
    at += length;
  }
  const bytes = Buffer.alloc(align(line.length) + count * NUMBER_BYTES);
  bytes.set(line);
  bytes.set(new Uint8Array(numbers.buffer), align(line.length));
  writePrivateBytes(path, bytes);
}

function align(length: number): number {
  return Math.ceil(length / NUMBER_BYTES) * NUMBER_BYTES;
}

function isHead(value: unknown): value is Head {
  // The file is our own; what is looked at is whether it is whole.
  const head = value as Partial<Head> | null | undefined;
  return head?.version === VERSION && Array.isArray(head.files) && head.files.every(isWhole);
}

function isWhole(file: Partial<Names> | null): boolean {
  return (
    typeof file?.path === 'string' &&
    Array.isArray(file.ids) &&
    Array.isArray(file.models) &&
    Array.isArray(file.subagents) &&
    Array.isArray(file.totals)
  );
}
