// One piece of work, written whole or not at all.

import { setTimeout as wait } from 'node:timers/promises';
import { WRITE_RETRY_MS, WRITE_WAIT_MS } from '../limits.ts';
import type { Connection } from './connection.ts';
import { isBusy, toStoreError } from './errors.ts';

export interface WriteOptions {
  /**
   * False for what may be gone after a power cut, since nobody was told that it is kept: it does not wait for the disk. Whatever is
   * written durably after it takes it along. True unless set.
   */
  readonly isDurable?: boolean | undefined;
  /** How long to try again while another process writes. */
  readonly waitMs?: number | undefined;
  readonly now?: (() => number) | undefined;
  /** Waits so many milliseconds; a test need not. */
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
}

/**
 * Runs synchronous work in one immediate transaction: it has the right to write from its beginning, so nothing it read can
 * change before it writes. While another process writes, it is tried again without stopping this one; then it fails as `busy`.
 */
export async function write<T>(connection: Connection, work: () => T, options: WriteOptions = {}): Promise<T> {
  const { isDurable = true, waitMs = WRITE_WAIT_MS, now = Date.now, pause = wait } = options;
  const until = now() + waitMs;
  for (;;) {
    try {
      return isDurable ? writeNow(connection, work) : writeLazily(connection, work);
    } catch (error) {
      if (!isBusy(error) || now() >= until) throw toStoreError(error, connection.file);
    }
    await pause(WRITE_RETRY_MS);
  }
}

/** One commit without a sync; the next one is as it was before. */
function writeLazily<T>({ raw }: Connection, work: () => T): T {
  const usual = raw.pragma('synchronous', { simple: true });
  raw.pragma('synchronous = NORMAL');
  try {
    return raw.transaction(work).immediate();
  } finally {
    raw.pragma(`synchronous = ${usual}`);
  }
}

/** The same, once: errors come out as SQLite gives them. */
export function writeNow<T>(connection: Connection, work: () => T): T {
  return connection.raw.transaction(work).immediate();
}
