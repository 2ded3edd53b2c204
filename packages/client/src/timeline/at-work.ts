import type { SessionInfo } from '@tailrace/protocol';

/** Somebody runs it now: a run that the server knows of, or one elsewhere that has not told its end. */
export function isAtWork({ live, status }: SessionInfo): boolean {
  return live === null ? status === 'running' : live.state !== 'ended';
}

/** It does something, or waits for somebody: its run is not only there for another message. */
export function isBusy({ live }: SessionInfo): boolean {
  return live?.state !== 'idle';
}
