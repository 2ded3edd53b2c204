// Takes the agents' own files into the record, once. What was taken before is not read again.

import type { LineRecord } from '../contract.ts';
import { StoreError, type StoreErrorCode } from '../errors.ts';
import { createTaskFinder, firstSessionId } from './about.ts';
import { type DiscoverOptions, type FoundFile, findTranscripts, type Problem } from './discover.ts';
import { createTaker, type Taken, type TakeOptions } from './take.ts';

export interface ImportOptions
  extends Omit<DiscoverOptions, 'onProblem'>,
    Pick<TakeOptions, 'clock' | 'signal' | 'maxLineBytes' | 'onLines'> {
  /** Told after each file. */
  readonly onFile?: ((file: FoundFile, taken: Taken | Problem) => void) | undefined;
  /** Asked before a file is taken in: what a person has forgotten does not come back by itself. */
  readonly isForgotten?: ((sessionId: string) => Promise<boolean>) | undefined;
  /** How many files are read at the same time. */
  readonly sideBySide?: number | undefined;
}

export interface ImportReport {
  /** Transcripts that were found. */
  readonly files: number;
  /** Those which had new lines, and those that nobody has written to since. */
  readonly taken: number;
  readonly unchanged: number;
  /** Those of forgotten sessions, which were left alone. */
  readonly forgotten: number;
  readonly lines: number;
  readonly bytes: number;
  /** Sessions whose own file is in the record for the first time. */
  readonly newSessions: number;
  /** Files whose last line is not whole yet, and the bytes of those lines. They are taken when their end has come. */
  readonly waitingFiles: number;
  readonly waitingBytes: number;
  /** What was left out, `busy` where another process is at it. */
  readonly problems: readonly Problem[];
  readonly isStopped: boolean;
}

const SIDE_BY_SIDE = 4;

/** Reads what is new in all files and keeps it. Fails only when the record itself cannot go on; what was kept by then stays. */
export async function importTranscripts(record: LineRecord, options: ImportOptions = {}): Promise<ImportReport> {
  const { signal, onFile, sideBySide = SIDE_BY_SIDE } = options;
  const problems: Problem[] = [];
  const sums = {
    files: 0,
    taken: 0,
    unchanged: 0,
    forgotten: 0,
    lines: 0,
    bytes: 0,
    newSessions: 0,
    waitingFiles: 0,
    waitingBytes: 0,
  };
  const found = findTranscripts({ ...options, onProblem: (problem) => problems.push(problem) });
  const findTask = createTaskFinder();

  const take = async (): Promise<void> => {
    for (;;) {
      const next = signal?.aborted ? undefined : await found.next();
      if (!next || next.done) return;
      sums.files++;
      if (await isOfForgotten(next.value, options.isForgotten)) {
        sums.forgotten++;
        continue;
      }
      const result = await takeFile(record, next.value, { ...options, findTask });
      if ('code' in result) problems.push(result);
      else add(next.value, result);
      onFile?.(next.value, result);
    }
  };
  const add = (file: FoundFile, { lines, bytes, waiting, isUnchanged, isNew }: Taken): void => {
    sums.lines += lines;
    sums.bytes += bytes;
    if (lines > 0) sums.taken++;
    if (isUnchanged) sums.unchanged++;
    if (isNew && file.taskId === undefined) sums.newSessions++;
    if (waiting > 0) sums.waitingFiles++;
    sums.waitingBytes += waiting;
  };

  const results = await Promise.allSettled(Array.from({ length: sideBySide }, take));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return { ...sums, problems, isStopped: signal?.aborted ?? false };
}

/** Whether a file is of a session that was forgotten. */
export async function isOfForgotten(file: FoundFile, isForgotten: ImportOptions['isForgotten']): Promise<boolean> {
  if (!isForgotten) return false;
  const sessionId = file.sessionId ?? (await firstSessionId(file).catch(() => undefined));
  return sessionId !== undefined && (await isForgotten(sessionId));
}

/** Takes one file and lets go of it. What is wrong with the file is told; what is wrong with the record is thrown. */
async function takeFile(record: LineRecord, file: FoundFile, options: TakeOptions): Promise<Taken | Problem> {
  const taker = createTaker(record, file, options);
  try {
    return await taker.take();
  } catch (error) {
    return problemOf(file.path, error);
  } finally {
    await taker.release();
  }
}

/** The store itself is in trouble: every other file would meet the same. */
const OF_THE_STORE: readonly StoreErrorCode[] = [
  'full',
  'io',
  'corrupt',
  'read-only',
  'closed',
  'newer',
  'unsafe',
  'unavailable',
];

/** What went wrong with one file. Throws what did not. */
export function problemOf(path: string, error: unknown): Problem {
  if (error instanceof StoreError && OF_THE_STORE.includes(error.code)) throw error;
  const { code = 'io', message } = error as NodeJS.ErrnoException;
  return { path, code, message };
}
