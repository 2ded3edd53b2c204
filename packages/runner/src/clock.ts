// Time, as far as the runner knows it: whoever waits is handed one of these, so that a test need not wait.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Acts once after so many milliseconds, unless the function it returns is called before. */
  after(milliseconds: number, act: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};
