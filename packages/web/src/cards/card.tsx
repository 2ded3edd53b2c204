// The frame of whatever can be opened: one line, and below it what it shows when it is open.

import type { Tone } from '@tailrace/client/timeline';
import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

export interface CardProps {
  /** What stands in the line. */
  readonly line: ReactNode;
  /** Nothing: it cannot be opened. */
  readonly children?: ReactNode;
  readonly isFoldable?: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly tools?: ReactNode;
  /** What it is, for who cannot see the line. */
  readonly label?: string;
}

export function Card({ line, children, isFoldable = true, isOpen, onToggle, tools, label }: CardProps): ReactElement {
  return (
    // A group, and no landmark: there are many of them.
    <div className="group relative min-w-0" {...(label !== undefined && { role: 'group', 'aria-label': label })}>
      <div className="flex min-h-7 items-center gap-1">
        {isFoldable ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={onToggle}
            className="-ml-1 flex min-h-7 min-w-0 flex-1 items-baseline gap-2 rounded-sm px-1 py-1 text-left text-sm hover:bg-sunken"
          >
            <ChevronRight
              aria-hidden="true"
              className={clsx('size-3.5 shrink-0 self-center text-muted', isOpen && 'rotate-90')}
            />
            {line}
          </button>
        ) : (
          <div className="flex min-h-7 min-w-0 flex-1 items-center gap-2 pl-5.5 text-sm">{line}</div>
        )}
        <RowTools>{tools}</RowTools>
      </div>
      {isOpen && children && <div className="mt-1 mb-2 ml-5.5 flex min-w-0 flex-col gap-2">{children}</div>}
    </div>
  );
}

/**
 * What else can be done with a row. It keeps its room, so that nothing moves when it is shown; on a phone, where there is none to keep,
 * it lies over the end of the row that was touched.
 */
export function RowTools({ children }: { readonly children: ReactNode }): ReactElement | null {
  if (!children) return null;
  return (
    <div
      className={clsx(
        'flex shrink-0 items-center opacity-0',
        'group-focus-within:opacity-100 group-hover:opacity-100 [article:focus_&]:opacity-100 pointer-coarse:opacity-100',
        'max-sm:absolute max-sm:top-0 max-sm:right-0 max-sm:hidden max-sm:rounded-md max-sm:bg-raised',
        'max-sm:group-focus-within:flex max-sm:[article:focus_&]:flex',
      )}
    >
      {children}
    </div>
  );
}

export const TONES: Readonly<Record<Tone, string>> = {
  muted: 'text-muted',
  working: 'text-working',
  waiting: 'text-waiting font-medium',
  good: 'text-good',
  bad: 'text-bad',
};

/** A part of an open card, with what it is. */
export function Field({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="text-xs text-muted">{label}</div>
      {children}
    </div>
  );
}
