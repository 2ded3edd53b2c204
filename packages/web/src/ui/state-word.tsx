// What a session is doing, as a word with a mark beside it. The marks differ by shape, so that nobody needs to see colours.

import type { RunState } from '@tailrace/core';
import type { SessionInfo } from '@tailrace/protocol';
import { clsx } from 'clsx';
import type { ReactElement } from 'react';

type Tone = 'working' | 'waiting' | 'good' | 'bad' | 'muted';

interface Look {
  readonly word: string;
  readonly tone: Tone;
  readonly shape: 'full' | 'ring' | 'square' | 'check' | 'cross';
  readonly isBusy?: true;
}

const RUNNING: Readonly<Record<Exclude<RunState, 'ended'>, Look>> = {
  starting: { word: 'starting', tone: 'working', shape: 'ring', isBusy: true },
  working: { word: 'working', tone: 'working', shape: 'full', isBusy: true },
  waiting: { word: 'waiting for you', tone: 'waiting', shape: 'square' },
  idle: { word: 'idle', tone: 'muted', shape: 'ring' },
  stalled: { word: 'stalled', tone: 'bad', shape: 'ring' },
  finishing: { word: 'finishing', tone: 'working', shape: 'ring', isBusy: true },
};

const ENDED: Readonly<Record<string, Look>> = {
  success: { word: 'ended well', tone: 'good', shape: 'check' },
  error: { word: 'ended with an error', tone: 'bad', shape: 'cross' },
  cancelled: { word: 'stopped', tone: 'muted', shape: 'square' },
  incomplete: { word: 'broke off', tone: 'bad', shape: 'ring' },
  running: { word: 'working', tone: 'working', shape: 'full', isBusy: true },
};

const UNKNOWN: Look = { word: 'ended', tone: 'muted', shape: 'ring' };

/** The words for a session in a list: of its run while there is one, else of how it went. */
export function lookOf({ status, live }: Pick<SessionInfo, 'status' | 'live'>): Look {
  if (live && live.state !== 'ended') {
    if (live.state === 'waiting' && !live.isOurs) return { ...RUNNING.waiting, word: 'waiting in its terminal' };
    return RUNNING[live.state];
  }
  return (Object.hasOwn(ENDED, status) && ENDED[status]) || UNKNOWN;
}

const TONES: Readonly<Record<Tone, string>> = {
  working: 'text-working',
  waiting: 'text-waiting',
  good: 'text-good',
  bad: 'text-bad',
  muted: 'text-muted',
};

const SHAPES: Readonly<Record<Look['shape'], ReactElement>> = {
  full: <circle cx="5" cy="5" r="4" fill="currentColor" />,
  ring: <circle cx="5" cy="5" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  square: <rect x="1.5" y="1.5" width="7" height="7" rx="1" fill="currentColor" />,
  check: (
    <path
      d="M1.5 5.5 4 8l4.5-6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  cross: <path d="m2 2 6 6m0-6-6 6" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />,
};

export function StateWord({ look, className }: { readonly look: Look; readonly className?: string }): ReactElement {
  return (
    <span className={clsx('inline-flex items-center gap-1.5 whitespace-nowrap', TONES[look.tone], className)}>
      <svg
        viewBox="0 0 10 10"
        className={clsx('size-2.5 shrink-0', look.isBusy && 'animate-breathe')}
        aria-hidden="true"
      >
        {SHAPES[look.shape]}
      </svg>
      {look.word}
    </span>
  );
}
