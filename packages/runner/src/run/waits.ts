// How long the runner waits for what, in milliseconds. No wait ever answers the agent, and none ends work that is going on.

export interface Waits {
  /** Stdin of a run with one prompt closes when its work is done and so long nothing came. */
  readonly quiet: number;
  /** A process that has nothing to do any more gets so long to end by itself. */
  readonly linger: number;
  /** Silence with nothing open is a stall after so long. */
  readonly stall: number;
  /** After the exit of the process, so long for the rest of its output: somebody else may hold the pipe. */
  readonly drain: number;
  /** Stopping: from the request to interrupt to TERM, and from there to KILL. */
  readonly terminate: number;
  readonly kill: number;
  /** A conversation in which nobody says anything ends after so long; absent: never. */
  readonly idle?: number | undefined;
}

export const WAITS: Waits = {
  quiet: 2_000,
  linger: 10_000,
  stall: 180_000,
  drain: 1_000,
  terminate: 2_000,
  kill: 5_000,
};
