// What a run has taken so far, as the row of a session wants it.

import { type AgentStreamEvent, createLedger } from '@tailrace/core';

export interface TokenCount {
  /** Caches are part of it. */
  readonly input: number;
  readonly output: number;
}

export interface Totals {
  add(event: AgentStreamEvent): void;
  /** Undefined while nobody has told any. */
  readonly tokens: TokenCount | undefined;
  readonly costUsd: number | undefined;
  /** The one that answered last on the main thread; else the one that the session says it uses. */
  readonly model: string | undefined;
}

export function createTotals(): Totals {
  // The whole is all that is asked for: answers that a total covers may go.
  const ledger = createLedger({ keepAnswers: false });
  let chosen: string | undefined;
  let answered: string | undefined;
  return {
    add(event) {
      ledger.add(event);
      if (event.type === 'session-start' || event.type === 'session-update') chosen = event.model ?? chosen;
      else if (event.type === 'message-start' && event.subagentId === undefined) answered = event.model ?? answered;
    },
    get tokens() {
      const { usage, state } = ledger.figures();
      if (state === 'unknown') return undefined;
      return { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 };
    },
    get costUsd() {
      return ledger.figures().costUsd;
    },
    get model() {
      return answered ?? chosen;
    },
  };
}
