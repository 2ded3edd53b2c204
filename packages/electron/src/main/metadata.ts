// The row of totals that an app keeps for each session. Where it is kept is the app's business: the store is handed in.

import type { Clock } from '@tailrace/runner';
import { inTime } from './in-time.ts';
import type { Shares } from './shares.ts';

/** What a run adds to its session's row. */
export interface RunTotals {
  /** The same one is added once. Of a further session of a run, as after its conversation was cleared, it is `<run>:<session>`. */
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

/** Adds what a run took, to the row of each session that it was in. Whatever the store does or leaves undone, nothing is thrown. */
export async function keepTotals(
  metadata: Pick<MetadataStore, 'add'> | undefined,
  shares: Shares,
  runId: string,
  warn: (message: string) => void,
  clock: Clock,
): Promise<void> {
  if (!metadata) return;
  for (const [index, { model, ...share }] of shares.all().entries()) {
    const { sessionId, inputTokens, outputTokens, costUsd } = share;
    if (inputTokens === 0 && outputTokens === 0 && costUsd === 0) continue;
    const id = index === 0 ? runId : `${runId}:${sessionId}`;
    try {
      // The app's own code: its types may promise more than it keeps.
      const kept: unknown = await inTime(
        metadata.add({ runId: id, ...share, ...(model !== undefined && { model }) }),
        clock,
      );
      const warning = warningOf(kept);
      if (warning !== undefined) warn(warning);
    } catch (error) {
      warn(
        `the totals of session ${sessionId} were not kept: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

function warningOf(kept: unknown): string | undefined {
  if (typeof kept === 'string') return undefined;
  if (typeof kept === 'object' && kept !== null && 'warning' in kept) return String(kept.warning);
  return `the store does not say whether the totals were kept: it gave ${kept === null ? 'null' : typeof kept}`;
}
