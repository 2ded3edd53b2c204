// What each session of a run took. An agent may go into another one on the way, as when its conversation is cleared.

import type { Totals } from './totals.ts';

interface Share {
  readonly sessionId: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly model: string | undefined;
}

export interface Shares {
  /** The run is in this session from now on. What was taken before the first one was told belongs to it too. */
  enter(sessionId: string): void;
  /** One for each session, the first one first. */
  all(): readonly Share[];
}

type Figures = Pick<Share, 'inputTokens' | 'outputTokens' | 'costUsd'>;

const NOTHING: Figures = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** `sessionId` is the one that holds when none is ever told. */
export function createShares(totals: Totals, sessionId: string): Shares {
  const left = new Map<string, Share>();
  let current = sessionId;
  let isTold = false;
  /** What was taken before the current one was entered. */
  let before = NOTHING;

  function now(): Figures {
    const { input: inputTokens, output: outputTokens } = totals.tokens ?? { input: 0, output: 0 };
    return { inputTokens, outputTokens, costUsd: totals.costUsd ?? 0 };
  }

  /** Of the current session, with what it took in an earlier stay. An estimate may have been too high: nobody took less than nothing. */
  function share(): Share {
    const earlier = left.get(current) ?? NOTHING;
    const figures = now();
    const since = (name: keyof Figures): number => earlier[name] + Math.max(0, figures[name] - before[name]);
    return {
      sessionId: current,
      inputTokens: since('inputTokens'),
      outputTokens: since('outputTokens'),
      costUsd: since('costUsd'),
      model: totals.model,
    };
  }

  return {
    enter(next) {
      if (isTold && next !== current) {
        left.set(current, share());
        before = now();
      }
      isTold = true;
      current = next;
    },
    all: () => [...new Map(left).set(current, share()).values()],
  };
}
