// The runs of this program: found by our id, and by the session's as soon as the agent tells it.

import { type Checkpoint, createCheckpoints } from './checkpoints.ts';
import type { Run } from './run/run.ts';
import { type RunOptions, startRun } from './run/start.ts';

export interface Registry {
  /** Starts a run and keeps it until it has ended. */
  start(options: RunOptions): Promise<Run>;
  /** The running run with this id, be it ours or the session's; of several in one session the newest. */
  get(id: string): Run | undefined;
  /** The id under which a run is known now: the session's as soon as there is one, ours until then. */
  keyOf(run: Run): string;
  /** Those that run, the oldest first. */
  readonly runs: readonly Run[];
  /** The prompts of a session that can be gone back to; they stay when its run has ended. Of one agent, or of all that call theirs so. */
  checkpoints(sessionId: string, agent?: string): readonly Checkpoint[];
  clearCheckpoints(sessionId: string, agent?: string): void;
  /** Stops all of them. */
  stopAll(): Promise<void>;
}

export function createRegistry(): Registry {
  const runs = new Set<Run>();
  const checkpoints = createCheckpoints();
  /** The names of all that were run. */
  const agents = new Set<string>();
  const keyOf = (run: Run): string => run.sessionIds.reported ?? run.id;
  return {
    async start(options) {
      const agent = options.agent.name;
      agents.add(agent);
      const run = await startRun({
        ...options,
        onEvents: (events) => {
          for (const event of events) checkpoints.add(event, agent);
          return options.onEvents?.(events);
        },
      });
      runs.add(run);
      run.ended.then(() => runs.delete(run));
      return run;
    },
    get: (id) => [...runs].reverse().find((run) => run.id === id || run.sessionIds.reported === id),
    keyOf,
    get runs() {
      return [...runs];
    },
    checkpoints: (sessionId, agent) =>
      (agent === undefined ? [...agents] : [agent]).flatMap((name) => checkpoints.of(sessionId, name)),
    clearCheckpoints(sessionId, agent) {
      for (const name of agent === undefined ? agents : [agent]) checkpoints.clear(sessionId, name);
    },
    async stopAll() {
      await Promise.all([...runs].map((run) => run.stop()));
    },
  };
}
