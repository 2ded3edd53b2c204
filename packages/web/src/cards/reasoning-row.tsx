import { type ReasoningPart, showDuration } from '@tailrace/core';
import type { ReactElement } from 'react';
import { Markdown } from '../text/markdown.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Card, type CardProps } from './card.tsx';
import { CutNotes, type CutNotesProps } from './cut-notes.tsx';

export interface ReasoningRowProps extends Pick<CardProps, 'isOpen' | 'onToggle' | 'tools'>, CutNotesProps {
  readonly part: ReasoningPart;
}

export function ReasoningRow({ part, isOpen, onToggle, tools, cut, sessionId }: ReasoningRowProps): ReactElement {
  const hasText = part.text.trim() !== '';
  return (
    <Card
      line={<span className="text-muted">{wordsOf(part)}</span>}
      isFoldable={hasText}
      isOpen={isOpen && hasText}
      onToggle={onToggle}
      label="reasoning"
      tools={
        <>
          {tools}
          {hasText && <CopyButton text={part.text} label="Copy reasoning" />}
        </>
      }
    >
      <div className="border-l-2 border-line pl-3 text-muted">
        <Markdown text={part.text} isStreaming={part.streaming === true} />
      </div>
      <CutNotes cut={cut} sessionId={sessionId} />
    </Card>
  );
}

function wordsOf({ streaming, form, durationMs, text, partial }: ReasoningPart): string {
  if (streaming) return 'thinking…';
  const long = showDuration(durationMs);
  const words = `thought${long === '' ? '' : ` for ${long}`}`;
  if (form === 'redacted') return `${words}, in words that are kept secret`;
  if (text.trim() === '') return `${words}, without telling`;
  return partial ? `${words}, and broke off` : words;
}
