// Recordings, played by this process as if it were the agent that made them: prompts and answers come in, lines go out.

import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { createReplay } from '@tailrace/core';
import { UsageError } from '../failure.ts';
import type { Pace } from '../input/pace.ts';
import { writeOut } from '../input/write.ts';
import { loadRecordings } from './load-recordings.ts';

export interface ActOptions {
  /** Where the recordings are. */
  readonly folder: string;
  /** What the agent was started with. */
  readonly args: readonly string[];
  /** Without one nothing waits. */
  readonly pace: Pace | undefined;
}

/** Goes on until nothing more is said and all is played; gives the agent's exit code. */
export async function actAsAgent({ folder, args, pace }: ActOptions): Promise<number> {
  const recordings = loadRecordings(folder, pace);
  if (recordings.length === 0) throw new UsageError(`there is no recording in ${folder}`);
  const replay = createReplay({
    recordings,
    args,
    folder: process.cwd(),
    createId: randomUUID,
    now: () => new Date().toISOString(),
  });
  let isClosed = false;
  let hasPlayed = false;
  let wake = (): void => {};
  createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
    .on('line', (line) => {
      for (const printed of replay.hear(line)) {
        hasPlayed = true;
        process.stdout.write(`${printed}\n`);
      }
      wake();
    })
    .on('close', () => {
      isClosed = true;
      replay.close();
      wake();
    });

  let next: unknown;
  let dueAt = performance.now();
  for (;;) {
    const { due } = replay;
    if (!due) {
      if (isClosed && !hasPlayed && !takesLines(args))
        throw new UsageError(
          'it was told nothing: it plays to a host that starts it with "-- --input-format stream-json" and writes prompts as lines of JSON',
        );
      if (isClosed) return replay.exitCode;
      await pause();
      dueAt = performance.now();
      continue;
    }
    if (due !== next) dueAt += due.wait;
    next = due;
    const left = dueAt - performance.now();
    if (left >= 1) {
      // What is heard meanwhile may change what is next.
      await pause(left);
      continue;
    }
    next = undefined;
    hasPlayed = true;
    await writeOut(`${replay.take()}\n`);
  }

  /** Until something is heard, and no longer than this. */
  function pause(milliseconds?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Whether whoever started it knows how it is talked to. */
function takesLines(args: readonly string[]): boolean {
  const name = '--input-format';
  return (
    args.includes(`${name}=stream-json`) || args.some((word, at) => word === name && args[at + 1] === 'stream-json')
  );
}
