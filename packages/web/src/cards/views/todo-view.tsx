import type { TodoEntry } from '@tailrace/core';
import { clsx } from 'clsx';
import type { ReactElement } from 'react';

const MARKS: Readonly<Record<TodoEntry['status'], { readonly sign: string; readonly word: string }>> = {
  completed: { sign: '✓', word: 'done' },
  in_progress: { sign: '●', word: 'at it' },
  pending: { sign: '○', word: 'to do' },
  cancelled: { sign: '–', word: 'dropped' },
};

export function TodoView({ entries }: { readonly entries: readonly TodoEntry[] }): ReactElement {
  return (
    <ul className="flex flex-col gap-0.5 text-sm">
      {entries.map(({ id, content, status }, index) => (
        <li key={id ?? `${index}:${content}`} className="flex gap-2">
          <span
            role="img"
            aria-label={MARKS[status].word}
            className={clsx(
              'w-4 shrink-0 text-center',
              status === 'completed' ? 'text-good' : status === 'in_progress' ? 'text-working' : 'text-muted',
            )}
          >
            {MARKS[status].sign}
          </span>
          <span
            className={clsx(
              'min-w-0 wrap-anywhere',
              (status === 'completed' || status === 'cancelled') && 'text-muted',
              status === 'cancelled' && 'line-through',
            )}
          >
            {content}
          </span>
        </li>
      ))}
    </ul>
  );
}
