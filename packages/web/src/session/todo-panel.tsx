import type { TodoEntry } from '@tailrace/core';
import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Panel } from './panel.tsx';

const MARKS: Readonly<Record<TodoEntry['status'], { readonly mark: string; readonly word: string }>> = {
  completed: { mark: '✓', word: 'done' },
  in_progress: { mark: '●', word: 'in progress' },
  pending: { mark: '○', word: 'to do' },
  cancelled: { mark: '–', word: 'cancelled' },
};

export function TodoPanel({ todos }: { readonly todos: readonly TodoEntry[] }): ReactElement {
  const done = todos.filter(({ status }) => status === 'completed').length;
  const total = todos.filter(({ status }) => status !== 'cancelled').length;
  return (
    <Panel
      name="todos"
      title="Todo"
      figure={total > 0 && <ProgressBar percentage={(done / total) * 100} label={`${done}/${total}`} />}
    >
      {todos.length === 0 ? (
        <p className="text-sm text-muted">No list was made.</p>
      ) : (
        <ul className="mt-1 space-y-0.5 text-sm">
          {todos.map(({ content, status }, index) => (
            // Entries have no name but their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: entries may be the same
            <li key={index} className={clsx('flex gap-2', status === 'in_progress' ? 'font-medium' : 'text-muted')}>
              <span
                aria-hidden="true"
                className={clsx(
                  'w-3 shrink-0',
                  status === 'completed' && 'text-good',
                  status === 'in_progress' && 'text-working',
                )}
              >
                {MARKS[status].mark}
              </span>
              <span className={clsx('min-w-0 break-words', status === 'cancelled' && 'line-through')}>
                <PlainText text={content} />
                <span className="sr-only"> ({MARKS[status].word})</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
