import type { LiveRun } from '@tailrace/protocol';

/** What a bar measures: `6/8` of a list, or a guess that says so. */
export function progressLabel({ basis, percentage, done, total }: NonNullable<LiveRun['progress']>): string {
  if (basis === 'estimated') return `est. ${percentage} %`;
  return done !== undefined && total !== undefined ? `${done}/${total}` : `${percentage} %`;
}
