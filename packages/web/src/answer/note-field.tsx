import { type ReactElement, type ReactNode, useId } from 'react';
import { Button } from '../ui/button.tsx';

export interface NoteFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onCancel: () => void;
  /** Written for a machine: more room, and letters of the same width. */
  readonly isCode?: boolean;
  /** The id of what tells more about it. */
  readonly describedBy?: string;
  /** What sends it. */
  readonly children: ReactNode;
}

/** A few words that go with an answer. */
export function NoteField({
  label,
  value,
  onChange,
  onCancel,
  isCode,
  describedBy,
  children,
}: NoteFieldProps): ReactElement {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the person just asked for it
        autoFocus
        rows={isCode ? Math.min(16, Math.max(4, value.split('\n').length)) : 2}
        spellCheck={!isCode}
        aria-describedby={describedBy}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onCancel();
        }}
        className={`w-full rounded-md border border-strong-line bg-raised px-3 py-2 text-sm ${isCode ? 'font-mono' : ''}`}
      />
      <div className="flex flex-wrap gap-2">
        {children}
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
