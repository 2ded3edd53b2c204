// Work that no call is known to have done: tasks that started by themselves, and changes of files.

import { statusWord } from '@tailrace/client/timeline';
import type { ChangesPart, TaskPart } from '@tailrace/core';
import type { ReactElement } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { Card, type CardProps, TONES } from './card.tsx';
import { ChangeCounts, countsOf } from './change-counts.tsx';
import { CutNotes, type CutNotesProps } from './cut-notes.tsx';
import { TaskFigures } from './task-figures.tsx';
import { ChangesView } from './views/changes-view.tsx';
import { TaskView } from './views/task-view.tsx';

type CardRow = Pick<CardProps, 'isOpen' | 'onToggle' | 'tools'> & CutNotesProps;

export function TaskRow({ part, cut, sessionId, ...card }: CardRow & { readonly part: TaskPart }): ReactElement {
  const { task } = part;
  const { word, tone } = statusWord({ status: task.status });
  return (
    <Card
      {...card}
      label="task"
      line={
        <>
          <span className="min-w-0 flex-1 truncate">
            <span className="font-medium">{task.kind === 'agent' ? 'Sub-agent' : 'Task'}</span>{' '}
            <PlainText text={task.description ?? task.name ?? task.taskId} />
          </span>
          <span className="hidden gap-2 text-xs text-muted sm:flex">
            <TaskFigures task={task} />
          </span>
          <span className={`shrink-0 text-xs ${TONES[tone]}`}>{word}</span>
        </>
      }
    >
      <TaskView task={task} />
      <CutNotes cut={cut} sessionId={sessionId} />
    </Card>
  );
}

export function ChangesRow({
  part,
  cwd,
  cut,
  sessionId,
  ...card
}: CardRow & { readonly part: ChangesPart; readonly cwd: string | null }): ReactElement {
  const { changes, changesOutcome } = part;
  return (
    <Card
      {...card}
      label="changed files"
      line={
        <>
          <span className="min-w-0 flex-1 truncate">
            {changes.length === 1 ? '1 file changed' : `${changes.length} files changed`}
            <span className="text-muted">, and no call is known to have done it</span>
          </span>
          <ChangeCounts counts={countsOf(changes)} />
        </>
      }
    >
      <ChangesView changes={changes} cwd={cwd} outcome={changesOutcome} />
      <CutNotes cut={cut} sessionId={sessionId} />
    </Card>
  );
}
