// What the runs of other programs are doing, as far as their lines tell it.

import type { LiveRun } from '@tailrace/protocol';
import type { Told } from '@tailrace/store';

export interface OtherRuns {
  hear(told: Told): void;
  /** The run that a session has at the moment, if anything was heard of it. */
  of(sessionId: string): LiveRun | undefined;
}

export function createOtherRuns(): OtherRuns {
  const runs = new Map<string, LiveRun>();

  return {
    of: (sessionId) => runs.get(sessionId),
    hear(told) {
      const { sessionId } = told;
      if (told.kind !== 'line') {
        runs.delete(sessionId);
        return;
      }
      for (const event of told.events) {
        if (event.type === 'run-start')
          runs.set(sessionId, {
            runId: event.runId,
            state: 'starting',
            since: event.at ?? 0,
            isOurs: false,
            waiting: 0,
          });
        if (event.type !== 'run-state') continue;
        const run = runs.get(sessionId);
        const { state } = event;
        if (state === 'ended') runs.delete(sessionId);
        // It waits in its own terminal.
        else if (run)
          runs.set(sessionId, { ...run, state, since: event.at ?? 0, waiting: state === 'waiting' ? 1 : 0 });
      }
    },
  };
}
