// A tool call: in a line what it acts on and how it went; open, the view of its kind.

import { statusWord, targetOf, toolLabel } from '@tailrace/client/timeline';
import { type Call, revealHidden } from '@tailrace/core';
import { clsx } from 'clsx';
import { type ReactElement, useContext } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { useShown } from '../text/shown.tsx';
import { Duration, Since } from '../ui/figures.tsx';
import { Card, type CardProps, TONES } from './card.tsx';
import { ChangeCounts, countsOf } from './change-counts.tsx';
import { CutNotes, type CutNotesProps } from './cut-notes.tsx';
import { SurroundingsContext } from './surroundings.ts';
import { TaskFigures } from './task-figures.tsx';
import { CallView } from './views/call-view.tsx';

export interface CallCardProps extends Pick<CardProps, 'isOpen' | 'onToggle' | 'tools'>, CutNotesProps {
  readonly call: Call;
  readonly cwd: string | null;
}

export function CallCard({ call, cwd, cut, sessionId, ...card }: CallCardProps): ReactElement {
  const label = toolLabel(call);
  return (
    <Card {...card} label={label} line={<CallLine call={call} cwd={cwd} label={label} />}>
      <CallView call={call} cwd={cwd} />
      <CutNotes cut={cut} sessionId={sessionId} />
    </Card>
  );
}

interface CallLineProps extends Pick<CallCardProps, 'call' | 'cwd'> {
  readonly label: string;
}

function CallLine({ call, cwd, label }: CallLineProps): ReactElement {
  const { isLive } = useContext(SurroundingsContext);
  const { status, task, changes, changesOutcome } = call;
  // Before it is cut: half a secret is not known for one.
  const target = useShown()(targetOf(call, cwd));
  const { word, tone } = statusWord(call);
  const isBusy = status === 'running' || status === 'pending';
  return (
    <>
      <span className="max-w-[40%] shrink-0 truncate font-medium">
        <PlainText text={label} />
      </span>
      <span
        className={clsx('min-w-0 flex-1 truncate', task ? 'text-sm' : 'font-mono text-xs')}
        title={revealHidden(target.slice(0, 400))}
      >
        <PlainText text={target.slice(0, 400)} />
        {task?.name !== undefined && (
          <span className="ml-2 text-muted">
            <PlainText text={task.name} />
          </span>
        )}
      </span>
      {changesOutcome === undefined && <ChangeCounts counts={changes && countsOf(changes)} />}
      {task && (
        <span className="hidden gap-2 text-xs text-muted sm:flex">
          <TaskFigures task={task} />
        </span>
      )}
      <span className={clsx('shrink-0 text-xs whitespace-nowrap', TONES[tone])}>
        {status === 'failed' && <span aria-hidden="true">✖ </span>}
        {status === 'denied' && <span aria-hidden="true">⊘ </span>}
        {status === 'waiting' && <span aria-hidden="true">■ </span>}
        {word}
      </span>
      <span className="min-w-12 shrink-0 text-right text-xs text-muted">
        {isBusy && isLive && call.time !== undefined ? (
          <Since at={call.time} />
        ) : (
          <Duration ms={call.durationMs ?? task?.durationMs ?? call.elapsedMs} />
        )}
      </span>
    </>
  );
}
