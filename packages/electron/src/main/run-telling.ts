// One run, told to the app's windows from its start to its end, with its row of totals.

import type { AgentStreamEvent } from '@tailrace/core';
import type { StreamEnd, StreamMessage } from '@tailrace/protocol';
import type { Clock, RunResult } from '@tailrace/runner';
import { inTime } from './in-time.ts';
import { keepTotals, type MetadataStore } from './metadata.ts';
import { createShares } from './shares.ts';
import { messageOf } from './stream-messages.ts';
import { createTelling, type ToldEvent } from './telling.ts';

export interface RunTellingOptions {
  readonly runId: string;
  /** The id by which windows are told of the session that the agent calls so. */
  readonly nameOf: (reported: string) => string;
  readonly send: (...message: StreamMessage) => void;
  /** Neutral events are told too. */
  readonly events: boolean;
  readonly metadata?: MetadataStore | undefined;
  readonly warn: (message: string) => void;
  /** How long the store is waited for goes by it. */
  readonly clock: Clock;
}

export interface RunTelling {
  /** A UUID: the run's own until the agent tells its session. */
  readonly sessionId: string;
  add(event: AgentStreamEvent): void;
  /** Keeps the totals, then tells the end. */
  end(result: RunResult): Promise<void>;
}

export function createRunTelling(options: RunTellingOptions): RunTelling {
  const { runId, nameOf, send, events, metadata, warn, clock } = options;
  const telling = createTelling();
  const shares = createShares(telling.totals, runId);
  const creating: Promise<void>[] = [];
  let sessionId = runId;
  let met: string | undefined;

  function tell(told: ToldEvent): void {
    if (told.type === 'init') meet(told.sessionId);
    if (told.type === 'warning') warn(told.message);
    const message = messageOf(told, { sessionId, runId });
    if (message) send(...message);
  }

  function meet(reported: string): void {
    // Again with its tools, which came later.
    if (reported === met) return;
    met = reported;
    sessionId = nameOf(reported);
    shares.enter(sessionId);
    creating.push(createRow(sessionId));
  }

  async function createRow(id: string): Promise<void> {
    try {
      await inTime(metadata?.create(id, telling.totals.model), clock);
    } catch (error) {
      warn(`no row was made for session ${id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return {
    get sessionId() {
      return sessionId;
    },
    add(event) {
      for (const told of telling.add(event)) tell(told);
      if (events) send('stream:event', { sessionId, runId, event });
    },
    async end(result) {
      // Some agents tell no session: what they took is of the run's own.
      const { tokens, costUsd } = telling.totals;
      if (creating.length === 0 && (tokens ?? costUsd) !== undefined) creating.push(createRow(sessionId));
      await Promise.all(creating);
      await keepTotals(metadata, shares, runId, warn, clock);
      send('stream:end', { sessionId, runId, ...endOf(result) });
    },
  };
}

function endOf(result: RunResult): Omit<StreamEnd, 'sessionId' | 'runId'> {
  const { success, aborted, usage, cost } = result;
  const late = success ? lateFailure(result) : undefined;
  const error = late ?? result.error;
  return {
    success: success && late === undefined,
    ...(error !== undefined && { error }),
    ...(aborted && { aborted }),
    ...(usage && { totalTokens: { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 } }),
    ...(cost?.currency === 'USD' && { costUsd: cost.amount }),
  };
}

/** Its last word was a success, and then its process failed: for an app that is none. One that we ended has no say in it. */
function lateFailure({ end, exitCode = 0, stderr }: RunResult): string | undefined {
  if (end !== 'exit' || exitCode === 0) return undefined;
  const said = stderr === '' ? '' : ` stderr: ${stderr}`;
  return `the agent said that it was done, and then ended with exit code ${exitCode}${said}`;
}
