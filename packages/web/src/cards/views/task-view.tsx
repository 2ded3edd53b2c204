import type { Task } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Code } from '../../text/code.tsx';
import { Markdown } from '../../text/markdown.tsx';
import { PlainText } from '../../text/plain-text.tsx';
import { Field } from '../card.tsx';
import { TaskFigures } from '../task-figures.tsx';

/** A sub-agent, command or workflow: what it was told, what it is doing, what it has used, what came of it. */
export function TaskView({ task }: { readonly task: Task }): ReactElement {
  const { prompt, result, error, summary, lastToolName, status, model, background } = task;
  return (
    <>
      <p className="flex flex-wrap gap-x-3 text-xs text-muted">
        {model !== undefined && <PlainText text={model} />}
        {background && <span>in the background</span>}
        <TaskFigures task={task} />
      </p>
      {status === 'running' && (summary !== undefined || lastToolName !== undefined) && (
        <p className="text-sm text-working wrap-anywhere">
          <PlainText text={summary ?? lastToolName ?? ''} />
        </p>
      )}
      {prompt !== undefined && (
        <Field label="told to">
          <Code text={prompt} maxLines={6} isWrapped label="prompt" />
        </Field>
      )}
      {result !== undefined && result !== '' && (
        <Field label="result">
          <Markdown text={result} />
        </Field>
      )}
      {error && (
        <p className="text-sm text-bad wrap-anywhere">
          <PlainText text={error.message} isBlock />
        </p>
      )}
    </>
  );
}
