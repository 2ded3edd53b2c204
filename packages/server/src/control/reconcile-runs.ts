// Runs whose program died in the middle of them: their record has no end. What is left of their processes is ended, and the end is
// written, with the reason, so that every view tells it. How the agent itself went nobody saw: there is no `exited` for it.

import { type HostLine, readHostLine } from '@tailrace/core';
import { type Sweep, sweepRun } from '@tailrace/runner';
import { type NewLine, RUN_STREAM, type Store, type StoredStream, StoreError } from '@tailrace/store';

export interface ReconcileOptions {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** Ends what is left of a run's processes. */
  readonly sweep?: ((runId: string) => Promise<Sweep>) | undefined;
  /** A run that could not be settled: the others are. */
  warn?(message: string): void;
}

/** A run that has ended by the death of its program. */
export interface DeadRun {
  readonly runId: string;
  /** How many of its processes were still there. */
  readonly swept: number;
}

/** The reason that is told. */
export const DEAD_REASON = 'the program that ran it died';

/** Lines from the end in which a run tells that it has ended; something may be remarked after it. */
const LOOK_BACK = 8;
/** Runs that are settled at a time. */
const AT_ONCE = 8;

/**
 * Settles the runs of programs that died. To be called when a server starts, before its own runs. A run whose program lives is not
 * touched, wherever that is: its stream cannot be claimed.
 */
export async function reconcileRuns(options: ReconcileOptions): Promise<readonly DeadRun[]> {
  const { store, warn } = options;
  const streams = (await store.record.streams()).filter(
    ({ kind, name }) => kind === 'run' && name.startsWith(RUN_STREAM),
  );
  const dead: DeadRun[] = [];
  const settle = async (stream: StoredStream): Promise<void> => {
    try {
      const run = await settleRun(stream, options);
      if (run) dead.push(run);
    } catch (error) {
      // Somebody lives who writes it.
      if (error instanceof StoreError && error.code === 'busy') return;
      warn?.(`the end of the run ${stream.name} could not be settled: ${String(error)}`);
    }
  };
  for (let index = 0; index < streams.length; index += AT_ONCE)
    await Promise.all(streams.slice(index, index + AT_ONCE).map(settle));
  return dead;
}

async function settleRun(
  { name }: StoredStream,
  { store, clock = Date.now, sweep = sweepRun }: ReconcileOptions,
): Promise<DeadRun | undefined> {
  const { record } = store;
  const seen = await record.stream(name);
  if (!seen || !(await wasStarted(store, name)) || (await endOf(store, seen)).hasEnded) return undefined;
  const lease = await record.claim(name, { kind: 'run' });
  try {
    // As it is now that nobody else can write to it.
    const { nextSeq, lastAt = clock() } = lease.stream;
    const { hasEnded, hasExited } = await endOf(store, lease.stream);
    if (hasEnded) return undefined;
    const runId = name.slice(RUN_STREAM.length);
    const { signalled, left } = await sweep(runId);
    const lines: readonly HostLine[] = [
      ...(left.length === 0
        ? []
        : [
            {
              type: 'warned',
              code: 'left',
              message: `${left.length} processes of the run could not be ended`,
            } as const,
          ]),
      { type: 'state-changed', state: 'ended', ...(!hasExited && { reason: DEAD_REASON }) },
    ];
    // The time of the last sign of life: when it is noticed says nothing about the run.
    await record.append(name, nextSeq, lines.map(toRow(lastAt)));
    return { runId, swept: signalled };
  } finally {
    await lease.release();
  }
}

/** Whether it is the record of a run that somebody started; what came through a pipe tells nothing of a process. */
async function wasStarted({ record }: Store, stream: string): Promise<boolean> {
  return toHostLine(await record.line(stream, 1))?.type === 'run-started';
}

async function endOf(
  { record }: Store,
  { name, nextSeq }: StoredStream,
): Promise<{ readonly hasEnded: boolean; readonly hasExited: boolean }> {
  let hasExited = false;
  for (let seq = nextSeq - 1; seq >= Math.max(1, nextSeq - LOOK_BACK); seq--) {
    const line = toHostLine(await record.line(name, seq));
    if (line?.type === 'state-changed' && line.state === 'ended') return { hasEnded: true, hasExited };
    if (line?.type === 'exited') hasExited = true;
  }
  return { hasEnded: false, hasExited };
}

function toHostLine(line: NewLine | undefined): HostLine | undefined {
  if (line?.source !== 'host') return undefined;
  try {
    return readHostLine(JSON.parse(Buffer.from(line.bytes).toString('utf8')));
  } catch {
    return undefined;
  }
}

function toRow(at: number): (line: HostLine) => NewLine {
  return (line) => ({ at, source: 'host', bytes: Buffer.from(`${JSON.stringify(line)}\n`) });
}
