// How far a turn may be when no list tells: its calls and its working time against earlier turns, or, without any,
// along a curve that never arrives. Every guess ends below 95.

/** One earlier turn, as its `Progress` told it at its end. */
export interface PastRun {
  readonly toolCalls: number;
  readonly durationMs: number;
  /** What kind of task it was, in the caller's own word. */
  readonly kind?: string | undefined;
}

export interface Estimate {
  /** A whole number, 0 to 94. The time is absent where nobody told one. */
  percentage(calls: number, workedMs: number | undefined): number;
  /** How long such a turn takes, where the history tells. */
  readonly durationMs: number | undefined;
}

/** Rounded down, this is the highest guess. */
const CEILING = 94.99;

/** Where a guess stands when a turn has taken as many calls and as long as such turns do. */
const AS_LONG_AS_USUAL = 90;

/** Without a history: so many calls are half the way, and so much time weighs as much as one call. */
const HALFWAY_CALLS = 20;
const MS_PER_CALL = 20_000;

/** With a `kind`, only earlier turns of that kind count, if there are any. */
export function createEstimate(history: readonly PastRun[], kind?: string | undefined): Estimate {
  const alike = kind === undefined ? [] : history.filter((run) => run.kind === kind);
  const runs = alike.length > 0 ? alike : history;
  const usualCalls = median(runs.map((run) => run.toolCalls));
  const usualMs = median(runs.map((run) => run.durationMs));

  return {
    percentage(calls, workedMs) {
      const shares = [
        ...(usualCalls === undefined ? [] : [calls / usualCalls]),
        ...(usualMs === undefined || workedMs === undefined ? [] : [workedMs / usualMs]),
      ];
      if (shares.length === 0) return Math.floor(alongCurve(Math.max(calls, (workedMs ?? 0) / MS_PER_CALL)));
      return Math.floor(againstUsual(shares.reduce((sum, share) => sum + share, 0) / shares.length));
    },
    durationMs: usualMs,
  };
}

/**
 * It starts slowly on purpose: a list is mostly written within the first calls, and must find the percentage still near
 * 0, because a percentage does not fall.
 */
function alongCurve(effort: number): number {
  const squared = effort * effort;
  return (CEILING * squared) / (squared + HALFWAY_CALLS * HALFWAY_CALLS);
}

function againstUsual(share: number): number {
  if (share <= 1) return AS_LONG_AS_USUAL * share;
  return AS_LONG_AS_USUAL + (CEILING - AS_LONG_AS_USUAL) * (1 - 1 / share);
}

/** The median of the numbers that can be one, or nothing when that is no measure. */
function median(values: readonly number[]): number | undefined {
  const sorted = values.filter((value) => Number.isFinite(value) && value >= 0).sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? 0;
  const lower = sorted[(sorted.length - 1) >> 1] ?? 0;
  const middle = lower + (upper - lower) / 2;
  return middle > 0 ? middle : undefined;
}
