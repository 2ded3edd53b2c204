// The running block, told again and again until somebody stops it; once where nobody looks.

import type { UsageReport } from '@tailrace/store';
import { describeBlock } from './block-line.ts';

export interface LiveOptions {
  /** A report by block, as things are now. */
  report(): Promise<UsageReport>;
  readonly isTerminal: boolean;
  write(text: string): Promise<void>;
  readonly signal: AbortSignal;
  /** Waits between two looks. */
  wait(): Promise<void>;
}

/** Shows the line until `signal`. */
export async function showLive({ report, isTerminal, write, signal, wait }: LiveOptions): Promise<void> {
  for (;;) {
    const active = (await report()).rows.find((row) => row.isActive);
    const line = active ? describeBlock(active) : 'no block is running';
    if (!isTerminal) {
      await write(`${line}\n`);
      return;
    }
    await write(`\r\u001b[K${line}`);
    await wait();
    if (signal.aborted) break;
  }
  await write('\n');
}
