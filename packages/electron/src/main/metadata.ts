// The row of totals that an app keeps for each session. Where it is kept is the app's business: the store is handed in.

import type { Totals } from './totals.ts';

/** What a run adds to its session's row. */
export interface RunTotals {
  /** The same run is added once. */
  readonly runId: string;
  readonly sessionId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  /** Absent: the one that is known stays. */
  readonly model?: string | undefined;
}

/** `store.metadata` of `@tailrace/store`, or two functions of your own. */
export interface MetadataStore {
  /** Makes the session's row where there is none. */
  create(sessionId: string, model?: string): Promise<void>;
  /** Adds a run's totals; a string says what came of it. */
  add(run: RunTotals): Promise<string | { readonly warning: string }>;
}

/** Adds what a run took. Whatever the store does, nothing is thrown: it is told as a warning. */
export async function keepTotals(
  metadata: Pick<MetadataStore, 'add'> | undefined,
  { tokens, costUsd = 0, model }: Totals,
  ids: Pick<RunTotals, 'runId' | 'sessionId'>,
  warn: (message: string) => void,
): Promise<void> {
  const { input: inputTokens, output: outputTokens } = tokens ?? { input: 0, output: 0 };
  if (!metadata || (inputTokens === 0 && outputTokens === 0 && costUsd === 0)) return;
  try {
    const kept = await metadata.add({
      ...ids,
      inputTokens,
      outputTokens,
      costUsd,
      ...(model !== undefined && { model }),
    });
    if (typeof kept === 'object') warn(kept.warning);
  } catch (error) {
    warn(
      `the totals of session ${ids.sessionId} were not kept: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
