// Files are read by several threads at once: each takes the next file that nobody has taken. This module is its own worker, so
// that it works from a build and from a bundle alike; where no worker can be started, this thread reads everything.

import { isMainThread, parentPort, SHARE_ENV, Worker, workerData } from 'node:worker_threads';
import { countedTranscripts, type TranscriptUsage } from '@tailrace/core';
import type { FileUsage } from './file-usage.ts';
import { scanFile } from './scan-file.ts';

/** A file to be read, and what is known of it. */
export interface ScanJob {
  readonly path: string;
  readonly known?: FileUsage | undefined;
}

export interface ParallelOptions {
  /** Threads beside this one. */
  readonly workers: number;
  readonly signal?: AbortSignal | undefined;
}

interface WorkerTask {
  readonly tailraceUsage: true;
  readonly jobs: readonly ScanJob[];
  readonly taken: SharedArrayBuffer;
}

export interface ScannedFiles {
  /** What each file tells. */
  readonly files: readonly FileUsage[];
  /** Those that cannot be read. What is gone since it was found is not among them. */
  readonly unread: readonly string[];
  /** How many threads were at it. */
  readonly threads: number;
}

/** Reads files, each once. */
export async function scanFiles(jobs: readonly ScanJob[], options: ParallelOptions): Promise<ScannedFiles> {
  const results = new Map<number, Found>();
  const taken = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const task: WorkerTask = { tailraceUsage: true, jobs, taken };
  const workers = Array.from({ length: options.workers }, () => startWorker(task, results));
  const reader = findReader();
  const counter = new Int32Array(taken);
  for (let index = take(counter); index < jobs.length; index = take(counter)) {
    if (options.signal?.aborted) break;
    results.set(index, scanOne(jobs[index], reader));
    // Whoever wants to stop it has to be heard.
    if (options.signal) await new Promise(setImmediate);
  }
  if (options.signal?.aborted) {
    Atomics.store(counter, 0, jobs.length);
    await Promise.all(workers);
    options.signal.throwIfAborted();
  }
  const started = await Promise.all(workers);
  // What a worker took and did not bring back is read here.
  const found = jobs.map((job, index) => results.get(index) ?? scanOne(job, reader));
  return {
    files: found.filter((one) => typeof one === 'object'),
    unread: jobs.filter((_, index) => found[index] === 'unread').map(({ path }) => path),
    threads: 1 + started.filter(Boolean).length,
  };
}

function take(counter: Int32Array): number {
  return Atomics.add(counter, 0, 1);
}

/** What a file tells; the others count all the same when it cannot be read. */
type Found = FileUsage | 'gone' | 'unread';

function scanOne(job: ScanJob | undefined, reader: TranscriptUsage | undefined): Found {
  if (!job || !reader) return 'gone';
  try {
    return scanFile(job.path, reader, job.known);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    return code === 'ENOENT' ? 'gone' : 'unread';
  }
}

/** So far one agent keeps files that can be counted. */
function findReader(): TranscriptUsage | undefined {
  return countedTranscripts[0]?.usage;
}

/** Gives whether it has told what it found. */
function startWorker(task: WorkerTask, results: Map<number, Found>): Promise<boolean> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task, env: SHARE_ENV, trackUnmanagedFds: false });
    worker.once('message', (found: readonly (readonly [number, Found])[]) => {
      for (const [index, file] of found) results.set(index, file);
      resolve(true);
    });
    worker.once('error', () => resolve(false));
    worker.once('exit', () => resolve(false));
  });
}

function isTask(value: unknown): value is WorkerTask {
  return typeof value === 'object' && value !== null && 'tailraceUsage' in value;
}

if (!isMainThread && isTask(workerData)) {
  const { jobs, taken } = workerData;
  const reader = findReader();
  const counter = new Int32Array(taken);
  const found: (readonly [number, Found])[] = [];
  const numbers: ArrayBuffer[] = [];
  for (let index = take(counter); index < jobs.length; index = take(counter)) {
    const one = scanOne(jobs[index], reader);
    found.push([index, one]);
    if (typeof one === 'string') continue;
    // Handed over instead of copied.
    numbers.push(one.numbers.buffer);
  }
  parentPort?.postMessage(found, numbers);
}
