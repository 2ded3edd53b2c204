// Keeps a run's lines while it goes on. Whoever shows the run does not wait for the disk unless far too much is on its way;
// and where the disk fails, the run goes on, and whoever started it is told what is not kept.

import type { AgentStreamEvent, Summary } from '@tailrace/core';
import type { Lease, NewLine, Store } from './contract.ts';
import { MAX_UNKEPT_BYTES } from './limits.ts';

/** A line with its place in the stream. */
export interface NumberedLine extends NewLine {
  readonly seq: number;
}

/** What keeps one run. */
export interface RunKeeper {
  /** Takes lines that follow those before. Gives a promise when the disk is behind. */
  keep(lines: readonly NumberedLine[]): Promise<void> | undefined;
  /** All that was taken so far is on the disk, or is lost. Never rejects. */
  settled(): Promise<void>;
  /** What the run tells: the session's row of totals is made as soon as its id is known. */
  hear(event: AgentStreamEvent): void;
  /** The run is over: everything is on the disk, and its totals are in the session's row. Never throws; false when a line is lost. */
  close(summary: Summary): Promise<boolean>;
}

export interface KeepRunOptions {
  readonly runId: string;
  readonly agent: string | undefined;
  /** Something is not kept. */
  warn(message: string): void;
  /** Lines were committed. */
  onKept?(): void;
}

/** The stream that the lines of a run are kept in. */
export function runStream(runId: string): string {
  return `${RUN_STREAM}${runId}`;
}

/** What the names of such streams begin with. */
export const RUN_STREAM = 'run:';

/** Keeps one run in a store. The right to write its stream is taken with the first line and given back at the end. */
export function keepRun(store: Store, { runId, agent, warn, onKept }: KeepRunOptions): RunKeeper {
  const name = runStream(runId);
  let lease: Promise<Lease> | undefined;
  let waiting = 0;
  const pending = new Set<Promise<void>>();
  let failure: string | undefined;
  let lost = 0;
  let sessionId: string | undefined;
  let row: Promise<void> | undefined;

  function fail(error: unknown, lines: number): void {
    lost += lines;
    if (failure !== undefined) return;
    failure = messageOf(error);
    warn(`this run is no longer kept: ${failure}`);
  }

  /** The first lines wait for the right to write; from then on they go straight to the queue of the store. */
  async function append(firstSeq: number, lines: readonly NumberedLine[]): Promise<void> {
    lease ??= store.record.claim(name, { kind: 'run', agent });
    await lease;
    await store.record.append(name, firstSeq, lines);
  }

  /** What whoever hears of it does wrong is no loss of lines. */
  function tellKept(): void {
    try {
      onKept?.();
    } catch (error) {
      warn(messageOf(error));
    }
  }

  return {
    keep(lines) {
      const [first] = lines;
      if (!first) return undefined;
      if (failure !== undefined) {
        lost += lines.length;
        return undefined;
      }
      const size = lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
      waiting += size;
      const kept: Promise<void> = append(first.seq, lines)
        .then(tellKept, (error: unknown) => fail(error, lines.length))
        .finally(() => {
          waiting -= size;
          pending.delete(kept);
        });
      pending.add(kept);
      return waiting > MAX_UNKEPT_BYTES ? kept : undefined;
    },
    async settled() {
      await Promise.all(pending);
    },
    hear(event) {
      if (row || event.sessionId === undefined || event.type === 'run-start') return;
      sessionId = event.sessionId;
      row = store.metadata.create(event.sessionId).catch((error: unknown) => warn(messageOf(error)));
    },
    async close(summary) {
      try {
        await Promise.all(pending);
        await row;
        await addTotals(summary);
        if (lost > 0) warn(`${lost} lines of this run are not kept`);
        await (await lease)?.release();
      } catch (error) {
        if (failure === undefined) warn(`the end of this run could not be kept: ${messageOf(error)}`);
      }
      return lost === 0;
    },
  };

  /** Once, when the stream is closed, and never in the way of anything. */
  async function addTotals({ usage, costUsd, model }: Summary): Promise<void> {
    if (sessionId === undefined) return;
    const { inputTokens = 0, outputTokens = 0 } = usage;
    const run = { runId, sessionId, inputTokens, outputTokens, costUsd: costUsd ?? 0, model: model ?? undefined };
    const told = await store.metadata.add(run);
    if (typeof told === 'object') warn(told.warning);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
