// Files are read by several threads at once: each takes the next file that nobody has taken. This module is its own worker, so
// that it works from a build and from a bundle alike; where no worker can be started, this thread reads everything.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { agents } from '@tailrace/core';
import type { FileUsage } from './file-usage.ts';
import type { UsageReader } from './reader.ts';
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
  /** What each file tells; nothing for one that cannot be read. */
  readonly files: readonly (FileUsage | undefined)[];
  /** How many threads were at it. */
  readonly threads: number;
}

/** Reads files, each once. */
export async function scanFiles(jobs: readonly ScanJob[], options: ParallelOptions): Promise<ScannedFiles> {
  const results = new Map<number, FileUsage | undefined>();
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
  return {
    // What a worker took and did not bring back is read here.
    files: jobs.map((job, index) => (results.has(index) ? results.get(index) : scanOne(job, reader))),
    threads: 1 + started.filter(Boolean).length,
  };
}

function take(counter: Int32Array): number {
  return Atomics.add(counter, 0, 1);
}

function scanOne(job: ScanJob | undefined, reader: UsageReader | undefined): FileUsage | undefined {
  if (!job || !reader) return undefined;
  try {
    return scanFile(job.path, reader, job.known);
  } catch {
    // It was taken away, or may not be read: the others count all the same.
    return undefined;
  }
}

/** So far one agent keeps files that can be counted. */
function findReader(): UsageReader | undefined {
  return agents.find((agent) => agent.transcripts?.usage)?.transcripts?.usage;
}

/** Gives whether it has told what it found. */
function startWorker(task: WorkerTask, results: Map<number, FileUsage | undefined>): Promise<boolean> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once('message', (found: readonly (readonly [number, FileUsage | undefined])[]) => {
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
  const found: (readonly [number, FileUsage | undefined])[] = [];
  for (let index = take(counter); index < jobs.length; index = take(counter))
    found.push([index, scanOne(jobs[index], reader)]);
  parentPort?.postMessage(found);
}
