import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../ui/button.tsx';
import { dismiss, useNotes } from './note.ts';

export function Notes(): ReactElement {
  const notes = useNotes();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-4 z-30 flex flex-col items-center gap-2 px-4"
    >
      {notes.map(({ id, text, action }) => (
        <p
          key={id}
          className="pointer-events-auto flex animate-enter items-center gap-2 rounded-md border border-strong-line bg-raised py-1 pr-1 pl-3 text-sm"
        >
          <span className="min-w-0 wrap-anywhere">{text}</span>
          {action && (
            <Button
              size="sm"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.words}
            </Button>
          )}
          <Button kind="quiet" size="sm" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <X className="size-3.5" aria-hidden="true" />
          </Button>
        </p>
      ))}
    </div>
  );
}
