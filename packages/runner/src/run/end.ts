// The end of a run: who is still there, how they are ended, and when the pipes are empty.

import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../clock.ts';
import { followDescendants } from '../process/follow.ts';
import type { ProcessName, Remembered, RunTarget } from '../process/targets.ts';
import { type Sweep, signalProcess, sweep } from '../process/terminate.ts';

export interface Processes {
  /** To the agent's own process, or to those that it started in its group as well. */
  signal(signal: NodeJS.Signals, whom: 'process' | 'group'): void;
  /** Ends all of the run's: TERM, and KILL for those that do not follow in time. */
  end(patience: number): Promise<Sweep>;
  /** The agent's own process is gone. */
  forget(): void;
}

/** How often it is looked who descends from whom, in milliseconds. */
const FOLLOW_EVERY = 1_000;

export function createProcesses(
  runId: string,
  child: ChildProcess,
  agent: ProcessName | undefined,
  clock: Clock,
): Processes {
  const target: RunTarget = { runId, agent };
  const remembered: Remembered = new Map(agent ? [[agent.pid, agent.startTime]] : []);
  // Whoever leaves its parents and its marks behind can be known only by having been seen before. By the machine's own time, since
  // processes know no other.
  followDescendants(remembered);
  const following = setInterval(() => followDescendants(remembered), FOLLOW_EVERY).unref();

  return {
    signal(signal, whom) {
      if (!agent) child.kill(signal);
      else if (signalProcess(agent, signal) && whom === 'group') signalGroup(agent.pid, signal);
    },
    end: (patience) => sweep(target, { clock, patience, remembered }),
    forget: () => clearInterval(following),
  };
}

/** Until both pipes are at their end, or whoever else holds them has had this long. */
export function drained({ stdout, stderr }: ChildProcess, clock: Clock, limit: number): Promise<void> {
  const open = [stdout, stderr].filter((stream) => stream && !stream.closed);
  if (open.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    let left = open.length;
    const cancel = clock.after(limit, resolve);
    for (const stream of open)
      stream?.once('close', () => {
        if (--left > 0) return;
        cancel();
        resolve();
      });
  });
}

/** To a group whose first process was alive just now. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of them have ended meanwhile.
  }
}
