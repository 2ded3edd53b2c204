// Something that waits for the person's answer: it is shown whole, and answered in place.

import type { WaitingRequest } from '@tailrace/client/react';
import { usePlan } from '@tailrace/client/react';
import { questionsOf } from '@tailrace/client/timeline';
import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { AsItIs } from '../text/shown.tsx';
import { Button } from '../ui/button.tsx';
import { Since } from '../ui/figures.tsx';
import { Loading } from '../ui/states.tsx';
import { AnswerButton } from './answer-button.tsx';
import { REQUEST_ATTRIBUTE } from './focus-request.ts';
import { Permission } from './permission.tsx';
import { Plan } from './plan.tsx';
import { Question } from './question.tsx';
import { nameOf, useAnswering } from './use-answering.ts';

export interface RequestCardProps {
  readonly request: WaitingRequest;
  /** As little of it as can be answered, until it is opened. */
  readonly isCompact?: boolean;
  /** Where it waits, for a card that does not stand there. */
  readonly where?: ReactNode;
}

export function RequestCard(props: RequestCardProps): ReactElement {
  // Another request is another card: nothing that was typed, seen or pressed for one counts for the next.
  return (
    <AsItIs>
      <Card key={nameOf(props.request)} {...props} />
    </AsItIs>
  );
}

function Card({ request: waiting, isCompact = false, where }: RequestCardProps): ReactElement {
  const { request, agent } = waiting;
  const card = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(!isCompact);
  const titleId = useId();
  const answering = useAnswering(waiting);
  const plan = usePlan(waiting);
  // Among others it stands below a heading of all of them.
  const Title = isCompact ? 'h3' : 'h2';
  function unfold(): void {
    setOpen(true);
    // The button that was pressed is gone.
    card.current?.focus();
  }
  return (
    <article
      ref={card}
      {...{ [REQUEST_ATTRIBUTE]: request.requestId }}
      aria-labelledby={titleId}
      tabIndex={-1}
      className="rounded-md border border-line border-l-4 border-l-waiting bg-raised px-4 py-3"
    >
      <header className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Title id={titleId} className="min-w-0 font-medium">
          <span className="capitalize">{agent}</span> {verbOf(request, plan.text !== null)}
          {request.type === 'permission-request' && plan.text === null && (
            <PlainText text={request.toolName ?? 'a tool'} />
          )}
        </Title>
        {where !== undefined && <span className="min-w-0 truncate text-sm">{where}</span>}
        <span className="text-xs text-muted sm:ml-auto">
          asked <Since at={waiting.since} /> ago
        </span>
      </header>
      {request.type === 'question-request' ? (
        isOpen ? (
          <Question request={request} answering={answering} />
        ) : (
          <Folded text={questionsOf(request)[0]?.question ?? request.message} action="Answer…" onUnfold={unfold} />
        )
      ) : plan.isLoading ? (
        <div className="flex items-center gap-3">
          <AnswerButton isDead={answering.isGiven} onPress={() => answering.give({ decision: 'deny' })}>
            Deny
          </AnswerButton>
          <Loading label="What it asks for is loading" />
        </div>
      ) : plan.text === null ? (
        <Permission request={request} answering={answering} isFolded={!isOpen} onUnfold={unfold} />
      ) : isOpen ? (
        <Plan key={plan.text} text={plan.text} request={request} answering={answering} />
      ) : (
        <Folded text={plan.text.split('\n', 1).join()} action="Read the plan…" onUnfold={unfold} />
      )}
      <p role="status" className="mt-2 text-xs text-muted empty:hidden">
        {answering.isGiven ? 'Your answer is on its way.' : ''}
      </p>
      {answering.problem !== null && (
        <p role="alert" className="mt-2 text-sm text-bad">
          Your answer did not arrive: {answering.problem}. It still waits.
        </p>
      )}
    </article>
  );
}

function verbOf({ type }: WaitingRequest['request'], isPlan: boolean): string {
  if (type === 'question-request') return 'asks';
  return isPlan ? 'puts a plan forward' : 'asks to use ';
}

interface FoldedProps {
  readonly text: string;
  readonly action: string;
  readonly onUnfold: () => void;
}

function Folded({ text, action, onUnfold }: FoldedProps): ReactElement {
  return (
    <div className="flex items-center gap-3">
      <p className="line-clamp-2 min-w-0 flex-1">
        <PlainText text={text} />
      </p>
      <Button onClick={onUnfold}>{action}</Button>
    </div>
  );
}
