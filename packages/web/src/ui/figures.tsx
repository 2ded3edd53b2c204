// Figures for people. Each says how sure it is, with the same marks everywhere.

import { clockOf } from '@tailrace/client/timeline';
import { type FigureState, showCost, showDuration } from '@tailrace/core';
import type { ReactElement } from 'react';
import { useNow } from './now.ts';

const CERTAINTY: Readonly<Record<FigureState, string>> = {
  reconciled: "agrees with the agent's own figure",
  estimated: 'estimated from a price table',
  known: 'at least this: some of it is not known yet',
  unknown: 'not known',
};

export function Cost({
  usd,
  state,
}: {
  readonly usd: number | null;
  readonly state: FigureState;
}): ReactElement | null {
  const text = showCost(usd, state);
  return text === '' ? null : (
    <span className="figures whitespace-nowrap" title={CERTAINTY[state]}>
      {text}
    </span>
  );
}

/** How long something took, or takes until now. */
export function Duration({ ms }: { readonly ms: number | null | undefined }): ReactElement | null {
  const text = showDuration(ms);
  return text === '' ? null : <span className="figures whitespace-nowrap">{text}</span>;
}

/** `0:42`, `3:10`, `1:02:11`: grows by itself. */
export function Since({ at }: { readonly at: number }): ReactElement {
  const seconds = Math.max(0, Math.floor((useNow() - at) / 1000));
  return <span className="figures whitespace-nowrap">{clockOf(seconds)}</span>;
}

/** The time of day; with the date where it is another day. */
export function Time({ at }: { readonly at: number }): ReactElement {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const day = date.toLocaleDateString([], { month: 'short', day: 'numeric' });
  return (
    <time className="figures whitespace-nowrap" dateTime={date.toISOString()} title={date.toLocaleString()}>
      {isToday ? time : `${day}, ${time}`}
    </time>
  );
}
