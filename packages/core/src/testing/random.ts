/** Numbers from 0 to below 1 that are the same on every run: a suite that fails must fail again. Lehmer's generator. */
export function createRandom(seed: number): () => number {
  const MODULUS = 2 ** 31 - 1;
  let state = (seed % (MODULUS - 1)) + 1;
  return () => {
    state = (state * 48_271) % MODULUS;
    return (state - 1) / (MODULUS - 1);
  };
}

/** As many whole numbers below `total` as asked for, spread evenly, in order; all of them when there are no more. */
export function spread(total: number, count: number, random: () => number): number[] {
  if (total <= count) return Array.from({ length: total }, (_, index) => index);
  return Array.from({ length: count }, (_, index) => Math.floor(((index + random()) * total) / count));
}
