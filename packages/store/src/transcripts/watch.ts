// Takes the agents' own files into the record, for good: what is there first, then what comes. Hints of the system make it quick,
// a look at everything from time to time makes it sure.

import { lstat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LineRecord } from '../contract.ts';
import { StoreError } from '../errors.ts';
import { isInside } from '../tail/open-file.ts';
import { describeFile, type FoundFile, filesIn, type Place, type Problem, placesOf, singleFile } from './discover.ts';
import { createFolderWatch } from './folder-watch.ts';
import { createFollowing } from './following.ts';
import { type ImportOptions, type ImportReport, importTranscripts } from './import.ts';

export interface WatchOptions extends Omit<ImportOptions, 'onFile' | 'signal'> {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told once, when all that was there before is in the record. */
  readonly onImported?: ((report: ImportReport) => void) | undefined;
  readonly onProblem?: ((problem: Problem) => void) | undefined;
  /** Done in each round: for what is to be taken in beside the files. */
  readonly everyRound?: (() => Promise<void>) | undefined;
  /** The longest time between two looks at everything; longer where looking takes long. */
  readonly pollMs?: number | undefined;
  /** A file is given free when nothing has come for so long. */
  readonly quietMs?: number | undefined;
  /** Whether the system is asked for hints. */
  readonly hints?: boolean | undefined;
}

const POLL_MS = 2000;
/** Looking at everything takes at most one part in so many of the time. */
const LOOKING_PART = 20;

/** Goes on until the signal comes; then everything is given free. Fails when the record itself cannot go on. */
export async function watchTranscripts(record: LineRecord, options: WatchOptions): Promise<void> {
  const { signal, pollMs = POLL_MS, hints = true } = options;
  const files = createFollowing(record, options);
  const known = new Map<string, FoundFile>();
  let places: readonly Place[] = [];
  const hinted = new Set<string>();
  let wake = (): void => {};
  const folders = createFolderWatch((path) => {
    hinted.add(path);
    wake();
  });
  let nextLook = 0;
  const told = new Set<string>();

  try {
    await options.everyRound?.();
    const report = await importTranscripts(record, options);
    for (const problem of report.problems) tell(problem);
    options.onImported?.(report);
    while (!signal.aborted) {
      if (performance.now() >= nextLook) await lookAtAll();
      await lookAtHinted();
      await files.take();
      await options.everyRound?.();
      const isBusy = hinted.size > 0 || files.hasMore();
      if (!isBusy) await pause(Math.min(pollMs, Math.max(0, nextLook - performance.now())));
    }
  } finally {
    folders.close();
    await files.releaseAll();
  }

  async function lookAtAll(): Promise<void> {
    const start = performance.now();
    known.clear();
    for await (const file of findAll()) {
      if (signal.aborted) return;
      known.set(file.path, file);
      await files.notice(file);
    }
    folders.sweep();
    const end = performance.now();
    nextLook = end + Math.max(pollMs, (end - start) * LOOKING_PART);
  }

  /** What lies in the way is met at every look, and told once. */
  function tell(problem: Problem): void {
    const words = `${problem.code} ${problem.path}`;
    if (told.has(words)) return;
    told.add(words);
    options.onProblem?.(problem);
  }

  async function* findAll(): AsyncGenerator<FoundFile> {
    try {
      const single = await singleFile(options);
      if (single && hints) folders.add(single.root);
      if (single) return yield single;
      places = await placesOf(options);
      for (const place of places) yield* filesIn(place, tell, hints ? folders.add : undefined);
    } catch (error) {
      // What was named is gone for the moment.
      if (!(error instanceof StoreError && error.code === 'not-found')) throw error;
    }
  }

  async function lookAtHinted(): Promise<void> {
    const paths = [...hinted];
    hinted.clear();
    for (const path of paths) {
      const file = known.get(path) ?? describe(path);
      if (file) await files.notice(file);
      // What is in a new folder may have been there before anybody watched it.
      else if ((await lstat(path).catch(() => undefined))?.isDirectory()) nextLook = 0;
    }
  }

  function describe(path: string): FoundFile | undefined {
    for (const place of places) {
      if (!isInside(place.root, path)) continue;
      const found = describeFile(place, relative(place.root, path).split(sep).join('/'));
      if (found) return { ...found, path };
    }
    return undefined;
  }

  async function pause(milliseconds: number): Promise<void> {
    const woken = new AbortController();
    wake = () => woken.abort();
    if (hinted.size > 0) return;
    await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
  }
}
