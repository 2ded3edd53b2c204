// Time, as the client takes it: a test can hand in its own.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Does something later; what it gives back takes that away again. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
