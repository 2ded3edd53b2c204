import { clsx } from 'clsx';
import type { ReactElement } from 'react';

export interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly describedBy?: string | undefined;
}

export function Switch({ label, isOn, onChange, describedBy }: SwitchProps): ReactElement {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={() => onChange(!isOn)}
      className={clsx(
        'flex h-6 w-11 shrink-0 items-center rounded-full border p-0.5',
        isOn ? 'justify-end border-transparent bg-text' : 'justify-start border-strong-line bg-sunken',
      )}
    >
      <span className={clsx('size-[18px] rounded-full', isOn ? 'bg-surface' : 'bg-strong-line')} aria-hidden="true" />
    </button>
  );
}
