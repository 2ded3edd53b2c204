import type { Call } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Field } from '../card.tsx';
import { Content } from '../content.tsx';
import { OtherView } from './other-view.tsx';
import { TaskView } from './task-view.tsx';

/** A call that started a sub-agent, or speaks with one. The sub-agent's own thread is shown below it. */
export function SubagentView({ call }: { readonly call: Call }): ReactElement {
  const { task, content } = call;
  if (!task) return <OtherView call={call} />;
  return (
    <>
      <TaskView task={task} />
      {task.result === undefined && content && content.length > 0 && (
        <Field label="result">
          <Content parts={content} maxLines={12} />
        </Field>
      )}
    </>
  );
}
