// Ends the processes of a run. They may fork while that happens, so it is over only when two looks in a row find nobody.

import { type Clock, systemClock } from '../clock.ts';
import type { ProcessEntry, ProcessTable } from './entry.ts';
import { systemTable } from './table.ts';
import { findTargets, type ProcessName, type Remembered, type RunTarget } from './targets.ts';
import { endTree } from './windows-tree.ts';

export interface SweepOptions {
  readonly clock?: Clock | undefined;
  readonly table?: ProcessTable | undefined;
  /** Processes to be left alone. */
  readonly spare?: ((process: ProcessEntry) => boolean) | undefined;
  /** How long they may take to end by themselves before they are killed; 0 kills at once. */
  readonly patience?: number | undefined;
  /** When to give up on those that cannot be ended. */
  readonly limit?: number | undefined;
  /** Goes on looking for at least so long: a process that was being started may show its mark only then. */
  readonly atLeast?: number | undefined;
  readonly remembered?: Remembered | undefined;
}

export interface Sweep {
  /** How many were told to end. */
  readonly signalled: number;
  /** Who could not be ended: another user's, or hung in the kernel. */
  readonly left: readonly ProcessName[];
}

/** Sends a signal to the process that bears this name, and to no other that got its number since. False when it is gone. */
export function signalProcess(name: ProcessName, signal: NodeJS.Signals, table: ProcessTable = systemTable): boolean {
  if (name.pid <= 1 || name.pid === process.pid) return false;
  if (table.startTimeOf(name.pid) !== name.startTime) return false;
  return send(name.pid, signal) === 'sent';
}

/** Ends what is left of a run: TERM first, KILL for those that have not followed. */
export function sweep(run: RunTarget, options: SweepOptions = {}): Promise<Sweep> {
  const { clock = systemClock, table = systemTable, spare = () => false } = options;
  const { patience = PATIENCE, limit = LIMIT, atLeast = 0, remembered = new Map() } = options;
  if (process.platform === 'win32') return Promise.resolve(endTree(run));
  const began = clock.now();
  const told = new Set<string>();
  const untouchable = new Set<string>();

  const look = (): ProcessEntry[] =>
    findTargets(table.list(), run, process.pid, remembered).filter(
      (entry) => !spare(entry) && !untouchable.has(nameOf(entry)),
    );

  const signal = (entry: ProcessEntry, which: NodeJS.Signals): void => {
    if (table.startTimeOf(entry.pid) !== entry.startTime) return;
    if (send(entry.pid, which) === 'refused') untouchable.add(nameOf(entry));
  };

  // A process that forks between the look and its death leaves a child that nothing leads to any more, if that has cleared its
  // environment. So all are stopped first, and only when a look finds nobody new they are killed, parents with their children.
  const kill = (): ProcessEntry[] => {
    const stopped = new Set<string>();
    let found = look();
    for (let round = 0; round < MAX_ROUNDS && found.some((entry) => !stopped.has(nameOf(entry))); round += 1) {
      for (const entry of found) {
        if (!stopped.has(nameOf(entry))) signal(entry, 'SIGSTOP');
        stopped.add(nameOf(entry));
      }
      found = look();
    }
    for (const entry of found) signal(entry, 'SIGKILL');
    return found;
  };

  const ask = (): ProcessEntry[] => {
    const found = look();
    for (const entry of found) if (!told.has(nameOf(entry))) signal(entry, 'SIGTERM');
    return found;
  };

  return new Promise((resolve) => {
    let quiet = 0;
    const turn = (): void => {
      const found = clock.now() - began >= patience ? kill() : ask();
      for (const entry of found) told.add(nameOf(entry));
      quiet = found.length === 0 ? quiet + 1 : 0;
      const passed = clock.now() - began;
      if ((quiet >= 2 && passed >= atLeast) || passed >= limit) resolve({ signalled: told.size, left: leftOf(found) });
      else clock.after(PAUSE, turn);
    };
    const leftOf = (found: readonly ProcessEntry[]): ProcessName[] => [
      ...found.map(({ pid, startTime }) => ({ pid, startTime })),
      ...[...untouchable].map(parseName).filter(({ pid, startTime }) => table.startTimeOf(pid) === startTime),
    ];
    turn();
  });
}

/** Ends what is left of a run whose supervisor died and of which only the id is known. */
export function sweepRun(runId: string, options: SweepOptions = {}): Promise<Sweep> {
  return sweep({ runId }, options);
}

/** The name by which the process of this number can be told from a later one. */
export function nameProcess(pid: number, table: ProcessTable = systemTable): ProcessName | undefined {
  const startTime = table.startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** How often those are looked for that were born while others were stopped. */
const MAX_ROUNDS = 10;
/** Between two looks. */
const PAUSE = 25;
const PATIENCE = 2_000;
const LIMIT = 10_000;

const nameOf = ({ pid, startTime }: ProcessName): string => `${pid} ${startTime}`;

function parseName(name: string): ProcessName {
  const space = name.indexOf(' ');
  return { pid: Number(name.slice(0, space)), startTime: name.slice(space + 1) };
}

function send(pid: number, signal: NodeJS.Signals): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(pid, signal);
    return 'sent';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'refused' : 'gone';
  }
}
