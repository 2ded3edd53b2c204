import type { TextPart } from '@tailrace/core';
import type { ReactElement, ReactNode } from 'react';
import { Markdown } from '../text/markdown.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { RowTools } from './card.tsx';
import { CutNotes, type CutNotesProps } from './cut-notes.tsx';

export interface TextRowProps extends CutNotesProps {
  readonly part: TextPart;
  readonly tools?: ReactNode;
}

/** What the model says: always open. */
export function TextRow({ part, tools, cut, sessionId }: TextRowProps): ReactElement {
  return (
    <section className="group relative flex min-w-0 items-start gap-1">
      <div className="flex min-w-0 flex-1 flex-col gap-1 py-1">
        <Markdown text={part.text} isStreaming={part.streaming === true} />
        {part.partial && <p className="text-xs text-muted">It broke off here.</p>}
        <CutNotes cut={cut} sessionId={sessionId} />
      </div>
      <RowTools>
        {tools}
        <CopyButton text={part.text} label="Copy text" />
      </RowTools>
    </section>
  );
}
