// The files that are written at the moment: each is taken when it has changed, and given free when it has been quiet for long.

import { stat } from 'node:fs/promises';
import type { LineRecord } from '../contract.ts';
import { factsOf } from '../tail/cursor.ts';
import { createTaskFinder, readAbout } from './about.ts';
import type { FoundFile, Problem } from './discover.ts';
import { isOfForgotten, problemOf } from './import.ts';
import { createTaker, type Taker } from './take.ts';
import type { WatchOptions } from './watch.ts';

export interface Following {
  /** Looks at a file, without opening it, and notes when it is not as it was. */
  notice(file: FoundFile): Promise<void>;
  /** Takes all that was noticed, one file after the other. */
  take(): Promise<void>;
  /** A file had more than its share. */
  hasMore(): boolean;
  releaseAll(): Promise<void>;
}

const QUIET_MS = 60_000;
/** After so many bytes of one file others have their turn. */
const SHARE_BYTES = 8 * 1024 * 1024;
/** A sub-agent's lines may be there a moment before the file that tells whose they are. */
const ABOUT_WAIT_MS = 5000;

/** Follows files into the record. */
export function createFollowing(record: LineRecord, options: WatchOptions): Following {
  const { signal, clock = Date.now, quietMs = QUIET_MS } = options;
  const findTask = createTaskFinder();
  const held = new Map<string, { readonly taker: Taker; lastLines: number }>();
  const noticed = new Map<string, FoundFile>();
  /** How each file looked when it was taken last. */
  const seen = new Map<string, string>();
  const told = new Map<string, string>();
  let isMore = false;

  return { notice, take, hasMore: () => isMore, releaseAll };

  async function notice(file: FoundFile): Promise<void> {
    const looks = await looksOf(file.path);
    if (looks !== undefined && looks !== seen.get(file.path)) noticed.set(file.path, file);
  }

  async function take(): Promise<void> {
    isMore = false;
    for (const file of [...noticed.values()]) {
      if (signal.aborted) return;
      try {
        await takeFile(file);
        told.delete(file.path);
      } catch (error) {
        // Tried again at the next look: somebody else may have it just now.
        noticed.delete(file.path);
        held.delete(file.path);
        seen.delete(file.path);
        tell(problemOf(file.path, error));
      }
    }
    await releaseQuiet();
  }

  async function takeFile(file: FoundFile): Promise<void> {
    const looks = await looksOf(file.path);
    const before = held.get(file.path);
    if (!before && (await isTooEarly(file))) return;
    noticed.delete(file.path);
    if (await isOfForgotten(file, options.isForgotten)) return settle(file, looks);
    const { taker } = before ?? { taker: createTaker(record, file, { ...options, share: SHARE_BYTES, findTask }) };
    const taken = await taker.take();
    if (taken.isMore) {
      noticed.set(file.path, file);
      isMore = true;
    } else settle(file, looks);
    // A file that was as it is when it was taken last is not even claimed.
    if (!taken.isUnchanged)
      held.set(file.path, { taker, lastLines: taken.lines > 0 ? clock() : (before?.lastLines ?? clock()) });
  }

  function settle(file: FoundFile, looks: string | undefined): void {
    if (looks !== undefined) seen.set(file.path, looks);
  }

  async function isTooEarly(file: FoundFile): Promise<boolean> {
    if (file.taskId === undefined || (await readAbout(file)) !== undefined) return false;
    const changed = await stat(file.path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    return Math.abs(clock() - changed) < ABOUT_WAIT_MS;
  }

  async function releaseQuiet(): Promise<void> {
    for (const [path, { taker, lastLines }] of held) {
      if (clock() - lastLines < quietMs) continue;
      held.delete(path);
      await taker.release();
    }
  }

  async function releaseAll(): Promise<void> {
    for (const { taker } of held.values()) await taker.release().catch(() => {});
    held.clear();
  }

  /** The same trouble with the same file is told once. */
  function tell(problem: Problem): void {
    if (told.get(problem.path) === problem.code) return;
    told.set(problem.path, problem.code);
    options.onProblem?.(problem);
  }
}

/** Everything about a file that changes when it is written to. */
async function looksOf(path: string): Promise<string | undefined> {
  try {
    const { file, size, changed } = factsOf(await stat(path, { bigint: true }));
    return `${file} ${size} ${changed}`;
  } catch {
    return undefined;
  }
}
