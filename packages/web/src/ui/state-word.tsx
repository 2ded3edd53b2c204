// What a session is doing, as a word with a mark beside it. The marks differ by shape, so that nobody needs to see colours.

import type { Look, Tone } from '@tailrace/client/timeline';
import { clsx } from 'clsx';
import type { ReactElement } from 'react';

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
