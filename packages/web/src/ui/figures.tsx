// Figures for people. Each says how sure it is, with the same marks everywhere.

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

/** `182k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${count < 9950 ? (count / 1000).toFixed(1) : Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
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

export function clockOf(seconds: number): string {
  const two = (count: number): string => String(count).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
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
