// What was put before the person: plans, and permissions and questions that belong to no call.

import { statusWord, type Word } from '@tailrace/client/timeline';
import type { PermissionPart, PlanPart, QuestionPart } from '@tailrace/core';
import type { ReactElement } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { Card, type CardProps, TONES } from './card.tsx';
import { CutNotes, type CutNotesProps } from './cut-notes.tsx';
import { JsonTree } from './json-tree.tsx';
import { PermissionNote } from './views/permission-note.tsx';
import { PlanView } from './views/plan-view.tsx';
import { QuestionView } from './views/question-view.tsx';

type CardRow = Pick<CardProps, 'isOpen' | 'onToggle' | 'tools'>;

const WAITING: Word = { word: 'waiting for you', tone: 'waiting' };

export function PlanRow({
  part,
  cut,
  sessionId,
  ...card
}: CardRow & CutNotesProps & { readonly part: PlanPart }): ReactElement {
  const { plan, permission, status } = part;
  const told = status && statusWord({ status });
  const word = told && (PLAN_WORDS[told.word] ?? told.word);
  return (
    <Card
      {...card}
      label="plan"
      line={
        <>
          <span className="flex-1 font-medium">Plan</span>
          {told && word !== undefined && <Result word={word} tone={told.tone} />}
        </>
      }
    >
      <PlanView plan={plan} />
      {permission && <PermissionNote permission={permission} />}
      <CutNotes cut={cut} sessionId={sessionId} />
    </Card>
  );
}

const PLAN_WORDS: Readonly<Record<string, string>> = { ok: 'approved', denied: 'sent back' };

export function PermissionRow({
  part,
  cut,
  sessionId,
  ...card
}: CardRow & CutNotesProps & { readonly part: PermissionPart }): ReactElement {
  const { permission, toolName } = part;
  const { decision, title, input } = permission;
  return (
    <Card
      {...card}
      label="permission"
      line={
        <>
          <span className="min-w-0 flex-1 truncate">
            asks to use <PlainText text={toolName ?? 'a tool'} />
            {title !== undefined && (
              <span className="font-mono text-xs">
                {' '}
                <PlainText text={title} />
              </span>
            )}
          </span>
          <Result {...(decision === undefined ? WAITING : { word: decision, tone: 'muted' })} />
        </>
      }
    >
      {input !== undefined && <JsonTree value={input} label="input" />}
      <PermissionNote permission={permission} />
      <CutNotes cut={cut} sessionId={sessionId} />
    </Card>
  );
}

export function QuestionRow({ part, ...card }: CardRow & { readonly part: QuestionPart }): ReactElement {
  const { question } = part;
  const word = question.outcome === 'success' ? 'answered' : 'not answered';
  return (
    <Card
      {...card}
      label="question"
      line={
        <>
          <span className="min-w-0 flex-1 truncate">
            <span className="font-medium">Question</span> <PlainText text={question.message} />
          </span>
          <Result {...(question.outcome === undefined ? WAITING : { word, tone: 'muted' })} />
        </>
      }
    >
      <QuestionView question={question} />
    </Card>
  );
}

function Result({ word, tone }: Word): ReactElement {
  return <span className={`shrink-0 text-xs ${TONES[tone]}`}>{word}</span>;
}
