// How often the repeated proofs run. `npm test` takes the small counts, `npm run proof` the full ones.

const isProof = process.env['TAILRACE_PROOF'] === '1';

export const counts = {
  /** Random ways to cut a stream into pieces. */
  chunkings: isProof ? 10_000 : 300,
  /** Cuts per capture that is too large to be cut at every byte. */
  cuts: isProof ? 500 : 40,
  /** Captures up to this size are cut at every byte. */
  everyByteUpTo: isProof ? 30_000 : 6_000,
  /** Lines with hostile keys. */
  hostileLines: isProof ? 10_000 : 1_000,
  /** Messages that were bent out of shape. */
  bentMessages: isProof ? 50_000 : 3_000,
  /** Runs of a property that has no count of its own. */
  runs: isProof ? 2_000 : 150,
  /** The size of the long line that has to be survived, in bytes. */
  longLine: isProof ? 200_000_000 : 70_000_000,
  /** How much is streamed to see that memory stays bounded, in bytes. */
  longStream: isProof ? 1_000_000_000 : 100_000_000,
} as const;
