// How a store is opened. Apart from what opens it, so that the types of this package ask for no types of the driver.

import type { Processes } from './holder.ts';

export interface OpenOptions {
  readonly file: string;
  /** Changes nothing; the file must be there and up to date. */
  readonly readOnly?: boolean | undefined;
  /** What SQLite calls itself; for the test of the version gate. */
  readonly sqliteVersion?: string | undefined;
  /** `NORMAL` loses acknowledged lines in a power cut. It is here so that the proof can be seen to fail. */
  readonly synchronous?: 'FULL' | 'NORMAL' | undefined;
}

export interface StoreOptions extends OpenOptions {
  /** Epoch milliseconds. */
  readonly clock?: (() => number) | undefined;
  readonly processes?: Processes | undefined;
  /** How long a write waits for another process before it fails as `busy`. */
  readonly waitMs?: number | undefined;
}
