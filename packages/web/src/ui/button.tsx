import { clsx } from 'clsx';
import type { ComponentProps, ReactElement } from 'react';

export interface ButtonProps extends ComponentProps<'button'> {
  /** `primary`: the one thing to do here. `quiet`: without a border, for what is rarely needed. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger' | 'waiting';
  readonly size?: 'sm' | 'md';
}

const KINDS = {
  primary: 'border-transparent bg-text text-surface hover:opacity-90',
  plain: 'border-line bg-raised text-text hover:border-strong-line',
  quiet: 'border-transparent text-muted hover:bg-sunken hover:text-text',
  danger: 'border-line bg-raised text-bad hover:border-bad',
  waiting: 'border-waiting bg-waiting text-surface hover:opacity-90',
};

export function Button({
  kind = 'plain',
  size = 'md',
  className,
  type = 'button',
  ...rest
}: ButtonProps): ReactElement {
  return (
    <button
      type={type}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap',
        'disabled:opacity-50 disabled:pointer-events-none aria-disabled:cursor-default aria-disabled:opacity-50',
        size === 'sm' ? 'h-7 px-2 text-xs' : 'h-9 px-3 text-sm',
        KINDS[kind],
        className,
      )}
      {...rest}
    />
  );
}
