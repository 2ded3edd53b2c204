// What happened beside the talk, in a line: a small honest row at its place.

import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, OctagonX, RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { RowTools } from './card.tsx';

const LOOKS = {
  info: { Icon: Info, tone: 'text-muted' },
  again: { Icon: RotateCw, tone: 'text-muted' },
  done: { Icon: CircleCheck, tone: 'text-good' },
  warning: { Icon: TriangleAlert, tone: 'text-text' },
  unknown: { Icon: CircleAlert, tone: 'text-muted' },
  error: { Icon: OctagonX, tone: 'text-bad' },
};

export interface SmallRowProps {
  readonly look: keyof typeof LOOKS;
  readonly children: ReactNode;
  readonly tools?: ReactNode;
}

export function SmallRow({ look, children, tools }: SmallRowProps): ReactElement {
  return (
    <div className="group relative flex min-h-7 items-start gap-1">
      <div className="min-w-0 flex-1 py-1">
        <SmallLine look={look}>{children}</SmallLine>
      </div>
      <RowTools>{tools}</RowTools>
    </div>
  );
}

/** The same inside the line of a card. */
export function SmallLine({ look, children }: Pick<SmallRowProps, 'look' | 'children'>): ReactElement {
  const { Icon, tone } = LOOKS[look];
  return (
    <span className={clsx('flex min-w-0 items-start gap-2 text-sm', tone)}>
      <Icon aria-hidden="true" className="mt-[3px] size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </span>
  );
}
