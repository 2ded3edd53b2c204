// The row of totals of a session: what its runs add up to, each counted once.

import type { Metadata, RunTotals, SessionTotals } from '../../contract.ts';
import type { Connection } from '../connection.ts';
import { toStoreError } from '../errors.ts';
import { write } from '../transaction.ts';

interface Row {
  readonly session_id: string;
  readonly total_input_tokens: number;
  readonly total_output_tokens: number;
  readonly total_cost_usd: number;
  readonly model: string | null;
  readonly updated_at: number;
}

/** The totals of sessions, in `session_metadata`. */
export function createMetadata(
  connection: Connection,
  options: { readonly clock?: (() => number) | undefined } = {},
): Metadata {
  const { raw } = connection;
  const clock = options.clock ?? Date.now;
  return {
    async create(sessionId, model) {
      await write(connection, () =>
        raw
          .prepare('INSERT OR IGNORE INTO session_metadata (session_id, model, updated_at) VALUES (?, ?, ?)')
          .run(sessionId, model ?? null, clock()),
      );
    },
    async add(run) {
      if (isNothing(run)) return 'nothing';
      try {
        return await write(connection, () => addOnce(run));
      } catch (error) {
        // The run's own stream must not break because its totals could not be kept.
        const { message } = toStoreError(error, connection.file) as Error;
        return { warning: `The totals of the run ${run.runId} were not kept: ${message}` };
      }
    },
    async get(sessionId) {
      const row = raw.prepare<[string], Row>('SELECT * FROM session_metadata WHERE session_id = ?').get(sessionId);
      return row && toTotals(row);
    },
  };

  function addOnce({ runId, sessionId, inputTokens, outputTokens, costUsd, model }: RunTotals) {
    const isKnown = raw.prepare('SELECT 1 FROM session_metadata WHERE session_id = ?').get(sessionId);
    if (!isKnown)
      return { warning: `The session ${sessionId} is not known: the totals of the run ${runId} were not kept.` };
    const note = raw.prepare('INSERT OR IGNORE INTO session_runs (run_id, session_id) VALUES (?, ?)');
    if (note.run(runId, sessionId).changes === 0) return 'repeated' as const;
    raw
      .prepare(
        `UPDATE session_metadata SET total_input_tokens = total_input_tokens + ?, total_output_tokens = total_output_tokens + ?,
           total_cost_usd = total_cost_usd + ?, model = coalesce(?, model), updated_at = ? WHERE session_id = ?`,
      )
      .run(inputTokens, outputTokens, costUsd, model ?? null, clock(), sessionId);
    return 'added' as const;
  }
}

function isNothing({ inputTokens, outputTokens, costUsd }: RunTotals): boolean {
  return inputTokens === 0 && outputTokens === 0 && costUsd === 0;
}

function toTotals(row: Row): SessionTotals {
  return {
    sessionId: row.session_id,
    totalInputTokens: row.total_input_tokens,
    totalOutputTokens: row.total_output_tokens,
    totalCostUsd: row.total_cost_usd,
    model: row.model,
    updatedAt: row.updated_at,
  };
}
