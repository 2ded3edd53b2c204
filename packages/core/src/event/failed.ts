import type { EventOf } from './event.ts';

/** Whether a call has failed, for those who know nothing between good and bad. What an agent brought without a verdict is a result. */
export function hasFailed({ outcome, synthetic, error }: EventOf<'tool-call-end'>): boolean {
  return outcome === 'unknown' ? synthetic === true || error !== undefined : outcome !== 'success';
}
