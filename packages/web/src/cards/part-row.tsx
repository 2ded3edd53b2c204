// One part of a conversation as a row. The thread of a sub-agent is not in it: whoever lists the parts shows it below.

import type { Call, Conversation, Part } from '@tailrace/core';
import type { CutString } from '@tailrace/protocol';
import type { ReactElement, ReactNode } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { PermissionRow, PlanRow, QuestionRow } from './asking-rows.tsx';
import { CallCard } from './call-card.tsx';
import { PromptRow } from './prompt-row.tsx';
import { RawRow } from './raw-row.tsx';
import { ReasoningRow } from './reasoning-row.tsx';
import { SmallRow } from './small-row.tsx';
import { TextRow } from './text-row.tsx';
import { TurnRow } from './turn-row.tsx';
import { CompactionRow, ErrorRow, HookRow, NoticeRow, RetryRow } from './weather-rows.tsx';
import { ChangesRow, TaskRow } from './work-rows.tsx';

export interface PartRowProps {
  readonly part: Part;
  readonly conversation: Conversation;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** What else can be done with it. */
  readonly tools?: ReactNode;
  /** Strings of it that did not travel whole. */
  readonly cut?: readonly CutString[];
  readonly sessionId: string;
}

export function PartRow({ part, conversation, ...rest }: PartRowProps): ReactElement {
  const row = <Row part={part} cwd={conversation.cwd} {...rest} />;
  if (part.retracted === undefined) return row;
  return (
    <div>
      <p className="text-xs text-muted">
        taken back: <PlainText text={part.retracted} />
      </p>
      <div className="opacity-70">{row}</div>
    </div>
  );
}

interface RowProps extends Omit<PartRowProps, 'conversation'> {
  readonly cwd: string | null;
}

function Row({ part, cwd, ...rest }: RowProps): ReactElement {
  const { isOpen, onToggle, tools, cut, sessionId } = rest;
  const card = { isOpen, onToggle, tools };
  switch (part.type) {
    case 'prompt':
      return <PromptRow part={part} {...rest} />;
    case 'text':
      return <TextRow part={part} tools={tools} cut={cut} sessionId={sessionId} />;
    case 'reasoning':
      return <ReasoningRow part={part} {...rest} />;
    case 'call':
      return <CallCard call={part} cwd={cwd} {...rest} />;
    case 'mode':
      if (isCall(part)) return <CallCard call={part} cwd={cwd} {...rest} />;
      return (
        <SmallRow look="info" tools={tools}>
          the mode is now <PlainText text={part.mode ?? 'another'} />
          {part.previousMode !== undefined && (
            <>
              , it was <PlainText text={part.previousMode} />
            </>
          )}
        </SmallRow>
      );
    case 'plan':
      return <PlanRow part={part} {...rest} />;
    case 'task':
      return <TaskRow part={part} {...rest} />;
    case 'permission':
      return <PermissionRow part={part} {...rest} />;
    case 'question':
      return <QuestionRow part={part} {...card} />;
    case 'changes':
      return <ChangesRow part={part} cwd={cwd} {...rest} />;
    case 'error':
      return <ErrorRow part={part} tools={tools} />;
    case 'notice':
      return <NoticeRow part={part} tools={tools} />;
    case 'retry':
      return <RetryRow part={part} tools={tools} />;
    case 'compaction':
      return <CompactionRow part={part} {...card} />;
    case 'hook':
      return <HookRow part={part} {...card} />;
    case 'turn':
      return <TurnRow part={part} tools={tools} />;
    case 'raw':
      return <RawRow part={part} {...rest} />;
    default:
      return part satisfies never;
  }
}

function isCall(part: Part): part is Call {
  return 'toolCallId' in part && 'kind' in part && part.kind !== undefined;
}
