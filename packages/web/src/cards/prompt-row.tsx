import { textsOf } from '@tailrace/client/timeline';
import type { ContentPart, PromptPart } from '@tailrace/core';
import type { ReactElement } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { Time } from '../ui/figures.tsx';
import { Card, type CardProps, RowTools } from './card.tsx';
import { Content } from './content.tsx';
import { CutNotes, type CutNotesProps } from './cut-notes.tsx';
import { Prose } from './prose.tsx';

export interface PromptRowProps extends Pick<CardProps, 'isOpen' | 'onToggle' | 'tools'>, CutNotesProps {
  readonly part: PromptPart;
}

const MOST_LINES = 30;

/** What went to the model. What the agent itself put in is folded: nobody typed it. */
export function PromptRow({ part, isOpen, onToggle, tools, cut, sessionId }: PromptRowProps): ReactElement {
  const text = textsOf(part.content);
  const others = part.content.filter((one) => one.type !== 'text');
  if (part.origin === 'injected') {
    const line = (
      <span className="min-w-0 truncate text-muted">
        put in by the agent: {text.slice(0, 200).replace(/\s+/g, ' ')}
      </span>
    );
    return (
      <Card line={line} isOpen={isOpen} onToggle={onToggle} tools={tools} label="put in by the agent">
        <Words text={text} others={others} />
        <CutNotes cut={cut} sessionId={sessionId} />
      </Card>
    );
  }
  return (
    <div className="group relative flex flex-col gap-1 rounded-md border border-line bg-raised px-3 py-2">
      <div className="flex min-h-7 items-center gap-2 text-xs text-muted">
        <span className="font-medium text-text">{whoOf(part)}</span>
        {part.origin === 'steering' && <span>while it worked</span>}
        <span className="flex-1" />
        <RowTools>
          {tools}
          {text !== '' && <CopyButton text={text} label="Copy prompt" />}
        </RowTools>
        {part.time !== undefined && <Time at={part.time} />}
      </div>
      <Words text={text} others={others} />
      <CutNotes cut={cut} sessionId={sessionId} />
    </div>
  );
}

function whoOf({ subagentId }: PromptPart): string {
  return subagentId === undefined ? 'You' : 'Task';
}

function Words({ text, others }: { readonly text: string; readonly others: readonly ContentPart[] }): ReactElement {
  return (
    <>
      {text !== '' && <Prose text={text} maxLines={MOST_LINES} />}
      {others.length > 0 && <Content parts={others} label="attachment" />}
    </>
  );
}
