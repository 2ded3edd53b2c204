// The row of totals that an app keeps for each session. Where it is kept is the app's business: the store is handed in.

import type { Clock } from '@tailrace/runner';
import { inTime } from './in-time.ts';
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

/** Adds what a run took. Whatever the store does or leaves undone, nothing is thrown: it is told as a warning. */
export async function keepTotals(
  metadata: Pick<MetadataStore, 'add'> | undefined,
  { tokens, costUsd = 0, model }: Totals,
  ids: Pick<RunTotals, 'runId' | 'sessionId'>,
  warn: (message: string) => void,
  clock: Clock,
): Promise<void> {
  const { input: inputTokens, output: outputTokens } = tokens ?? { input: 0, output: 0 };
  if (!metadata || (inputTokens === 0 && outputTokens === 0 && costUsd === 0)) return;
  try {
    const run = { ...ids, inputTokens, outputTokens, costUsd, ...(model !== undefined && { model }) };
    // The app's own code: its types may promise more than it keeps.
    const kept: unknown = await inTime(metadata.add(run), clock);
    const warning = warningOf(kept);
    if (warning !== undefined) warn(warning);
  } catch (error) {
    warn(
      `the totals of session ${ids.sessionId} were not kept: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function warningOf(kept: unknown): string | undefined {
  if (typeof kept === 'string') return undefined;
  if (typeof kept === 'object' && kept !== null && 'warning' in kept) return String(kept.warning);
  return `the store does not say whether the totals were kept: it gave ${kept === null ? 'null' : typeof kept}`;
}
