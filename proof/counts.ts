// How often the repeated proofs run. `npm test` takes the small counts, `npm run proof` the full ones; while mutants are hunted,
// where every test runs hundreds of times, a few must do.

const size =
  process.env['TAILRACE_PROOF'] === '1' ? 'full' : process.env['TAILRACE_PROOF'] === 'mutants' ? 'few' : 'small';
const pick = (full: number, small: number, few: number = small): number => ({ full, small, few })[size];

export const counts = {
  /** Random ways to cut a stream into pieces. */
  chunkings: pick(10_000, 300, 40),
  /** Cuts per capture that is too large to be cut at every byte. */
  cuts: pick(500, 40),
  /** Captures up to this size are cut at every byte. */
  everyByteUpTo: pick(30_000, 6_000),
  /** Lines with hostile keys. */
  hostileLines: pick(10_000, 1_000),
  /** Messages that were bent out of shape. */
  bentMessages: pick(50_000, 3_000),
  /** Messages that the suite for agents bends, one field at a time. */
  agentBends: pick(20_000, 2_000, 100),
  /** Ways to interleave the streams of each recorded session. */
  interleavings: pick(100, 4, 2),
  /** Random strings as every parameter of a start, each a real process. */
  startStrings: pick(500, 100, 5),
  /** Kills of the one who supervises a run. */
  supervisorKills: pick(200, 20, 2),
  /** Hooks that are run at once. */
  hooksAtOnce: pick(200, 50, 5),
  /** Runs of a property that has no count of its own. */
  runs: pick(2_000, 150, 40),
  /** Keys of the largest object. */
  keys: pick(1_000_000, 1_000_000, 1_000),
  /** Levels of the deepest nesting. */
  levels: pick(1_000_000, 1_000_000, 2_000),
  /** Brackets in the line that is broken worst. */
  brackets: pick(200_000, 200_000, 500),
  /** The size of the long line that has to be survived, in bytes. */
  longLine: pick(200_000_000, 70_000_000),
  /** How much is streamed to see that memory stays bounded, in bytes. */
  longStream: pick(1_000_000_000, 100_000_000),
} as const;
