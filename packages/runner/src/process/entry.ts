// What is told about a process, and where it is looked up.

/** A process at the moment of the look. Its number may be another's a second later: with the start time it names one process. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** The process group. */
  readonly group: number;
  /** When it was started, in whatever words the system tells it: only ever compared. */
  readonly startTime: string;
  /** It has ended, and its parent has not asked how. */
  readonly isZombie: boolean;
  /** Whether it was started in this run, or in a run inside of it. Asked late: it costs a read. */
  hasMarker(runId: string): boolean;
}

/** Where processes are looked up. */
export interface ProcessTable {
  list(): readonly ProcessEntry[];
  /** The start time of the living process that has this number now. */
  startTimeOf(pid: number): string | undefined;
  /** The numbers of those that a process has started and that live, where the system tells this without a look at all. */
  childrenOf?(pid: number): readonly number[];
}
