// What a disk holds after a power cut. What was synced is there; of what was written since, each sector of 512 bytes is there or
// not, by chance; so are truncations, new names, deleted names and changed ones until their folder was synced.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Random } from './random.ts';

/** A call as trace.c has written it down. */
export interface Call {
  readonly kind: 'o' | 'w' | 't' | 's' | 'u' | 'r';
  readonly isFailed: boolean;
  readonly path: string;
  readonly offset: number;
  readonly data: Buffer;
}

export function readCalls(log: string): readonly Call[] {
  const bytes = readFileSync(log);
  const calls: Call[] = [];
  for (let at = 0; at + 24 <= bytes.length; ) {
    const pathLength = bytes.readUInt32LE(at + 4);
    const dataLength = Number(bytes.readBigUInt64LE(at + 16));
    const path = bytes.toString('utf8', at + 24, at + 24 + pathLength);
    const data = bytes.subarray(at + 24 + pathLength, at + 24 + pathLength + dataLength);
    if (data.length < dataLength) break;
    calls.push({
      kind: String.fromCharCode(bytes[at] ?? 0) as Call['kind'],
      isFailed: bytes[at + 1] === 1,
      path,
      offset: Number(bytes.readBigUInt64LE(at + 8)),
      data,
    });
    at += 24 + pathLength + dataLength;
  }
  return calls;
}

export interface Disk {
  /** The next call is made. `random` says what a sync that fails leaves behind. */
  apply(call: Call, random: Random): void;
  /** The power goes: writes what is left into a folder. */
  cut(folder: string, random: Random): void;
  /** What the writer has said so far. */
  acks(): string;
}

const SECTOR = 512;

/** A disk on which one folder lies. */
export function createDisk(): Disk {
  const names = new Map<string, Inode>();
  /** The names that outlive a power cut. */
  let syncedNames = new Map<string, Inode>();
  /** Changes of names since the folder was synced. */
  let changes: { readonly name: string; readonly to: Inode | undefined }[] = [];
  let acks = '';

  return { apply, cut, acks: () => acks };

  function apply({ kind, isFailed, path, offset, data }: Call, random: Random): void {
    const name = basename(path);
    if (name.endsWith('.acks')) {
      if (kind === 'w') acks += data.toString();
      return;
    }
    if (name.endsWith('-shm')) return;
    const inode = names.get(name);
    if (kind === 'o') rename(name, { synced: Buffer.alloc(0), pending: [] });
    else if (kind === 'u') rename(name, undefined);
    else if (kind === 'r' && inode !== undefined) {
      rename(basename(data.toString()), inode);
      rename(name, undefined);
    } else if (inode === undefined) {
      // Not a file, so the folder: its names are safe now.
      if (kind === 's' && !isFailed) [syncedNames, changes] = [new Map(names), []];
    } else if (kind === 'w') writeSectors(inode, offset, data);
    else if (kind === 't') inode.pending.push({ truncate: offset });
    else if (kind === 's') sync(inode, isFailed, random);
  }

  function rename(name: string, to: Inode | undefined): void {
    if (to === undefined) names.delete(name);
    else names.set(name, to);
    changes.push({ name, to });
  }

  function cut(folder: string, random: Random): void {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const left = new Map(syncedNames);
    for (const { name, to } of changes) {
      if (random() < 0.5) continue;
      if (to === undefined) left.delete(name);
      else left.set(name, to);
    }
    for (const [name, inode] of left) {
      writeFileSync(
        join(folder, name),
        perform(inode, () => random() < 0.5),
        { mode: 0o600 },
      );
    }
  }
}

interface Inode {
  synced: Buffer;
  /** What was done since the last sync, in order. */
  pending: Step[];
}

type Step = { readonly offset: number; readonly data: Buffer } | { readonly truncate: number };

function writeSectors(inode: Inode, offset: number, data: Buffer): void {
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + SECTOR - ((offset + at) % SECTOR));
    inode.pending.push({ offset: offset + at, data: data.subarray(at, end) });
    at = end;
  }
}

/**
 * A sync that fails is worse than none: what was waiting is written or not, and counts as written, so that the next sync, which
 * goes well, does not write it either.
 */
function sync(inode: Inode, isFailed: boolean, random: Random): void {
  inode.synced = perform(inode, isFailed ? () => random() < 0.5 : () => true);
  inode.pending = [];
}

/** The file after those steps that have reached the disk. */
function perform({ synced, pending }: Inode, isDone: () => boolean): Buffer {
  const done = pending.filter(isDone);
  if (done.length === 0) return synced;
  const most = done.reduce(
    (size, step) => Math.max(size, 'data' in step ? step.offset + step.data.length : step.truncate),
    0,
  );
  const bytes = Buffer.alloc(Math.max(most, synced.length));
  synced.copy(bytes);
  let length = synced.length;
  for (const step of done) {
    if ('data' in step) {
      step.data.copy(bytes, step.offset);
      length = Math.max(length, step.offset + step.data.length);
    } else {
      bytes.fill(0, step.truncate, Math.max(length, step.truncate));
      length = step.truncate;
    }
  }
  return bytes.subarray(0, length);
}
