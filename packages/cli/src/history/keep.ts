// Keeps a run's lines while it goes on. Whoever shows the run does not wait for the disk unless far too much is on its way;
// and where the disk fails, the run goes on and the person is told what is not kept.

import type { AgentStreamEvent, Summary } from '@tailrace/core';
import type { Lease, NewLine, Store } from '@tailrace/store';
import { messageOf } from '../failure.ts';
import { openKept } from './open.ts';
import { retire } from './retention.ts';

/** A line with its place in the stream. */
interface NumberedLine extends NewLine {
  readonly seq: number;
}

export interface Keeper {
  /** Takes lines that follow those before. Gives a promise when the disk is behind. */
  keep(lines: readonly NumberedLine[]): Promise<void> | undefined;
  /** What the run tells: the session's row of totals is made as soon as its id is known. */
  hear(event: AgentStreamEvent): void;
  /** The run is over: everything is on the disk, and its totals are in the session's row. Never throws; false when a line is lost. */
  close(summary: Summary): Promise<boolean>;
}

export interface KeepOptions {
  readonly runId: string;
  readonly agent: string | undefined;
  warn(message: string): void;
}

/** So many bytes may be on their way to the disk before anybody has to wait. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** For so long the end of a run takes up what is new; what is left is for whoever asks next. */
const CATCH_UP_MS = 3_000;

/** A keeper for one run. Where the store cannot be opened it says so, and there is none. */
export async function openKeeper(options: KeepOptions): Promise<Keeper | undefined> {
  try {
    return keepRun(await openKept(), options);
  } catch (error) {
    options.warn(`this run is not kept: ${messageOf(error)}`);
    return undefined;
  }
}

/** Keeps one run in a store, which is closed with it. */
function keepRun(store: Store, { runId, agent, warn }: KeepOptions): Keeper {
  const name = `run:${runId}`;
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
        .catch((error: unknown) => fail(error, lines.length))
        .finally(() => {
          waiting -= size;
          pending.delete(kept);
        });
      pending.add(kept);
      return waiting > MAX_WAITING_BYTES ? kept : undefined;
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
        await store.history.catchUp({ waitMs: 0, signal: AbortSignal.timeout(CATCH_UP_MS) });
        await retire(store);
      } catch (error) {
        if (failure === undefined) warn(`the end of this run could not be kept: ${messageOf(error)}`);
      } finally {
        await store.close().catch(() => undefined);
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
