// Which processes belong to a run. Three ways lead to one, since each alone can be left: a process may open its own session,
// its parent may end, and it may clear its environment.

import type { ProcessEntry } from './entry.ts';

/** A process that is named beyond doubt. */
export interface ProcessName {
  readonly pid: number;
  readonly startTime: string;
}

/** By what the processes of a run are known. */
export interface RunTarget {
  readonly runId: string;
  /** The process that was started for the run, the first of its own group; absent while nobody knows it. */
  readonly agent?: ProcessName | undefined;
}

/** What is remembered from one look to the next: whoever was seen in the run stays in it, though its parents end. */
export type Remembered = Map<number, string>;

/**
 * The living processes of the run by this list: those of the agent's group, those that descend from any of the run, and those
 * that bear its mark. Never the one who asks (`self`), and never the first process of the machine.
 */
export function findTargets(
  list: readonly ProcessEntry[],
  run: RunTarget,
  self: number,
  remembered: Remembered = new Map(),
): ProcessEntry[] {
  const { agent, runId } = run;
  const leader = agent && list.find(({ pid }) => pid === agent.pid);
  // Another process with the agent's number means that its group is empty since long, and the number given anew.
  const hasGroup = agent !== undefined && (leader === undefined || leader.startTime === agent.startTime);
  const isOwn = (process: ProcessEntry): boolean =>
    remembered.get(process.pid) === process.startTime ||
    (hasGroup && process.group === agent.pid) ||
    (process.pid === agent?.pid && process.startTime === agent.startTime) ||
    process.hasMarker(runId);

  const children = new Map<number, ProcessEntry[]>();
  for (const process of list) {
    const siblings = children.get(process.parent);
    if (siblings) siblings.push(process);
    else children.set(process.parent, [process]);
  }
  const found = new Map<number, ProcessEntry>();
  // Those who may not be ended are no way to others either: everybody descends from the first process.
  const waiting = list.filter(
    (process) => process.pid > 1 && process.pid !== self && !process.isZombie && isOwn(process),
  );
  for (let process = waiting.pop(); process; process = waiting.pop()) {
    if (found.has(process.pid)) continue;
    found.set(process.pid, process);
    remembered.set(process.pid, process.startTime);
    for (const child of children.get(process.pid) ?? [])
      if (child.pid > 1 && child.pid !== self && !child.isZombie) waiting.push(child);
  }
  return [...found.values()];
}
