// A field with its name above it and what there is to know below.

import type { ReactElement, ReactNode } from 'react';

export interface FieldProps {
  readonly label: string;
  /** Of the field itself. */
  readonly id: string;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}

export const FIELD_LOOK = 'w-full rounded-md border border-line bg-raised px-3 text-base placeholder:text-muted';

export function Field({ label, id, hint, children }: FieldProps): ReactElement {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
