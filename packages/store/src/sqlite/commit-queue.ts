// Calls that wait together are committed together: a sync of the disk costs the same for one line and for thousands.

import { setTimeout as wait } from 'node:timers/promises';
import { COMMIT_BYTES, COMMIT_LINES, WRITE_WAIT_MS } from '../limits.ts';
import type { AppendAll, AppendCall } from './append.ts';
import type { Connection } from './connection.ts';
import { write } from './transaction.ts';

export interface CommitQueue {
  /** Fulfilled with the position of the last line when the disk has it. */
  add(call: AppendCall): Promise<number>;
  /** Fulfilled when nothing waits any more. */
  drained(): Promise<void>;
}

export interface CommitQueueOptions {
  readonly waitMs?: number | undefined;
  readonly now?: (() => number) | undefined;
  readonly pause?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** A queue in front of the database. */
export function createCommitQueue(
  connection: Connection,
  appendAll: AppendAll,
  options: CommitQueueOptions = {},
): CommitQueue {
  const { waitMs = WRITE_WAIT_MS, now = Date.now, pause = wait } = options;
  let waiting: Waiting[] = [];
  let working: Promise<void> | undefined;

  return {
    add(call) {
      return new Promise((resolve, reject) => {
        waiting.push({ call, resolve, reject });
        working ??= work();
      });
    },
    async drained() {
      while (working !== undefined) await working;
    },
  };

  async function work(): Promise<void> {
    // What is handed in during this turn of the event loop comes along, and between two commits others get their turn.
    await turn();
    while (waiting.length > 0) {
      await commit(takeSome());
      if (waiting.length > 0) await turn();
    }
    working = undefined;
  }

  /** Never fails: who waits is told. */
  async function commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await write(connection, () => appendAll(batch.map(({ call }) => call)), { waitMs, now, pause });
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (typeof result === 'number') resolve(result);
        else reject(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function takeSome(): readonly Waiting[] {
    let [bytes, lines, count] = [0, 0, 0];
    for (const { call } of waiting) {
      for (const line of call.lines) bytes += line.bytes.length;
      lines += call.lines.length;
      if (count > 0 && (bytes > COMMIT_BYTES || lines > COMMIT_LINES)) break;
      count++;
    }
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return taken;
  }
}

interface Waiting {
  readonly call: AppendCall;
  readonly resolve: (position: number) => void;
  readonly reject: (error: unknown) => void;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
