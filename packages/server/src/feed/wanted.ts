// What a subscription asks for, as the feed needs it.

import type { ActivitySwitches, EventFilter, Subscribe } from '@tailrace/protocol';

export interface Wanted {
  readonly view: Subscribe['view'];
  /** The sessions that are wanted, each from a place on; all of them when absent. */
  readonly sessions: ReadonlyMap<string, number> | undefined;
  readonly filter: EventFilter;
  readonly switches: ActivitySwitches;
  readonly progressIntervalMs: number | undefined;
}

/** `sessions`: those that are named, and those of the runs that are named. */
export function wantedOf(subscribe: Subscribe, sessions: ReadonlyMap<string, number> | undefined): Wanted {
  const { view, filter = {}, progressIntervalMs } = subscribe;
  const { includeToolCalls, includeToolResults, includeOutput } = subscribe;
  const { includeFileChanges, includeProgress, includeReasoning } = subscribe;
  const switches = {
    includeToolCalls,
    includeToolResults,
    includeOutput,
    includeFileChanges,
    includeProgress,
    includeReasoning,
  };
  return { view, sessions, filter, switches, progressIntervalMs };
}

/** The same for all who want the same. */
export function keyOf({ sessions, ...rest }: Wanted): string {
  return JSON.stringify([sessions && [...sessions].sort(([a], [b]) => (a < b ? -1 : 1)), rest]);
}
