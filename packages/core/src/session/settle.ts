// Which totals count, and which answers they leave over. Where a run and a file both know a stretch of time, the better one counts:
// a run's own totals, unless the files hold answers of that time which the totals leave out (the run was killed before it told them).

import { isUsed, tokensOf } from '../event/usage.ts';
import type { FileTotal, Run, Served, Told } from './told.ts';

export interface Settled {
  /** The runs whose own totals count. */
  readonly runs: readonly Run[];
  /** The totals of files that count. */
  readonly files: readonly SettledFile[];
  /** The answers that none of them has. */
  readonly rest: readonly Served[];
}

export interface SettledFile extends FileTotal {
  /** The same total as another copy of the file tells it: one of them may have lost lines that the other has. */
  readonly copies: readonly FileTotal[];
}

export function settle({ answers, runs, totals, prompts }: Told): Settled {
  const used = [...answers.values()].filter(({ usage }) => isUsed(usage));
  const told = [...runs.values()].filter(({ settled }) => settled);
  for (const run of told) run.begin = beginOf(run, prompts);
  const left = used.filter((answer) => !told.some((run) => isInRun(run, answer)));
  // A fork's file has the history of the one it was made from in its totals: of two that share answers the larger counts.
  const files: (SettledFile & { readonly copies: FileTotal[] })[] = [];
  for (const file of [...totals.values()].sort((a, b) => tokensOf(b.event.usage) - tokensOf(a.event.usage))) {
    const isNeeded = left.some((answer) => isInFile(file, answer));
    const isInRuns = told.some((run) => run.from <= file.to && run.settledTo >= file.since);
    const copied = files.find(({ since }) => since === file.since);
    if (copied && hasRoomFor(copied, file, used)) copied.copies.push(file);
    const isShared = copied || files.some((other) => used.some((one) => isInFile(other, one) && isInFile(file, one)));
    if (isShared || (!isNeeded && isInRuns)) continue;
    files.push({ ...file, copies: [] });
  }
  return {
    runs: told.filter((run) => !files.some(({ since, to }) => since <= run.from && to >= run.settledTo)),
    files,
    rest: left.filter((answer) => !files.some((file) => isInSettled(file, answer))),
  };
}

/** Whether a total can have the other's answers in it too; one of a branch that it does not know has more. */
function hasRoomFor(file: SettledFile, other: FileTotal, used: readonly Served[]): boolean {
  // An answer that was broken off may be in no total, in none of the copies.
  if (tokensOf(file.event.usage) === tokensOf(other.event.usage)) return true;
  const both = used.filter((answer) => isInSettled(file, answer) || isInFile(other, answer));
  return both.reduce((sum, { usage }) => sum + tokensOf(usage), 0) <= tokensOf(file.event.usage);
}

/** Whether a total that counts has this answer. */
export function isInSettled(file: SettledFile, answer: Served): boolean {
  return isInFile(file, answer) || file.copies.some((copy) => isInFile(copy, answer));
}

/** A run begins with the prompt before the first thing that it shows: it may not show what came to nothing. */
function beginOf(run: Run, prompts: ReadonlySet<number>): number {
  let begin = Number.NEGATIVE_INFINITY;
  for (const time of prompts) if (time <= run.from) begin = Math.max(begin, time);
  return Number.isFinite(begin) ? begin : run.from;
}

/** Whether a run's totals have this answer: it showed it before, or it was served in that time. */
export function isInRun(run: Run, answer: Served): boolean {
  if (run.covered.has(answer)) return true;
  if (run.open.has(answer)) return false;
  if (answer.isTimed && answer.time >= run.begin && answer.time <= run.settledTo) return true;
  const isOver = run.settledTo === run.to && run.open.size === 0;
  return isOver && answer.subagentId !== undefined && run.tasks.has(answer.subagentId);
}

/** Whether a file's total has this answer. */
function isInFile({ since, to, stream }: FileTotal, { time, isTimed, files }: Served): boolean {
  // Stdout broke off before anything had a time: a file that ends with its totals has all there is.
  if (!isTimed && time === 0) return to === Number.POSITIVE_INFINITY;
  return time >= since && time <= to && (files.size === 0 || files.has(stream));
}
