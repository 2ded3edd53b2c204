// What something came to, and how sure that is.

import type { Cost, Usage } from '../event/event.ts';
import { addUsage } from '../event/usage.ts';

/** How sure a figure is: `known` is a lower bound, `reconciled` agrees with the agent's own total. */
export type FigureState = 'known' | 'estimated' | 'reconciled' | 'unknown';

export interface Figures {
  readonly usage: Usage;
  readonly state: FigureState;
  readonly costUsd: number | undefined;
  readonly costState: FigureState;
}

export interface ModelFigures {
  readonly usage: Usage;
  readonly costUsd: number | undefined;
}

/** What the calls of one tool amount to. */
export interface ToolFigures {
  readonly calls: number;
  readonly failed: number;
  readonly durationMs: number;
  /** What the sub-agents that its calls started have used. */
  readonly usage: Usage;
}

/** Adds what a model took to what it took before. */
export function addModel(
  all: Map<string, ModelFigures>,
  model: string,
  usage: Usage,
  costUsd: number | undefined,
): void {
  const before = all.get(model);
  all.set(model, {
    usage: addUsage(before?.usage ?? {}, usage),
    costUsd: costUsd === undefined ? before?.costUsd : (before?.costUsd ?? 0) + costUsd,
  });
}

/** Figures as `session-end` tells them. */
export function totalsOf({ usage, state, costUsd, costState }: Figures): {
  readonly usage?: Usage;
  readonly cost?: Cost;
} {
  return {
    ...(state !== 'unknown' && { usage }),
    ...(costUsd !== undefined && {
      cost: { amount: costUsd, currency: 'USD', ...(costState === 'estimated' && { estimated: true }) },
    }),
  };
}
