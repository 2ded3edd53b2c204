// What the cards of a session know beside their own part. Whoever shows a session provides it.

import type { SummarySubagent } from '@tailrace/core';
import { type Context, createContext } from 'react';

export interface Surroundings {
  /** Whether it happens now: only then does the time of a running call grow. */
  readonly isLive: boolean;
  /** What each sub-agent took, by the id of its task, as the summary of the session tells: agents themselves rarely say. */
  readonly subagents: ReadonlyMap<string, Pick<SummarySubagent, 'usage' | 'costUsd' | 'costState'>>;
}

export const SurroundingsContext: Context<Surroundings> = createContext<Surroundings>({
  isLive: true,
  subagents: new Map(),
});
