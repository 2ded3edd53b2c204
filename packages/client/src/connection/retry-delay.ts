// How long to wait before a lost connection is made again.

import { FIRST_RETRY_MS, LONGEST_RETRY_MS } from '../limits.ts';

/**
 * Twice as long each time, and by chance up to half as long: a thousand clients of a server that was started again do not come
 * at once.
 */
export function retryDelay(attempt: number, random: number): number {
  const longest = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempt, 30), LONGEST_RETRY_MS);
  return Math.round(longest * (0.5 + random / 2));
}
