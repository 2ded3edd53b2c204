// What waits for the person: a permission with its whole input, or a question.

import { fieldsOf, foldGaps, questionsOf, sizeOf } from '@tailrace/client/timeline';
import { type Answer, type EventOf, type RequestEvent, revealHidden } from '@tailrace/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { AnswerButton, type Answering, useAnswering, useEndSeen } from './answering.tsx';
import { bringIntoView } from './following.ts';

interface RequestProps {
  readonly request: RequestEvent;
  /** All that waits, in a word that changes with it. */
  readonly about: string;
  readonly onAnswer: (answer: Answer) => Promise<boolean>;
}

export function Request({ request, about, onAnswer }: RequestProps): ReactNode {
  const answering = useAnswering(about, onAnswer);
  return request.type === 'permission-request' ? (
    <Permission request={request} answering={answering} />
  ) : (
    <Question request={request} answering={answering} />
  );
}

interface Props<R extends RequestEvent> {
  readonly request: R;
  readonly answering: Answering;
}

function Permission({ request, answering: { give, isGiven } }: Props<EventOf<'permission-request'>>): ReactNode {
  const { toolName, input, reason } = request;
  const fields = fieldsOf(input);
  const { ref, isSeen } = useEndSeen();
  const lock = useId();
  return (
    <section ref={bringIntoView} className="request" aria-label="The agent asks">
      <h2>The agent asks to use {revealHidden(toolName ?? 'a tool')}</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: it is no set of fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it has to be scrolled by keys as well */}
      <div className="input" role="group" aria-label="The whole input" tabIndex={0}>
        {fields.map(({ name = '', text }) => (
          <div key={name}>
            <span className="muted">{revealHidden(name)}</span>
            <Whole text={text} />
          </div>
        ))}
        <div ref={ref} className="end" />
      </div>
      <p className="muted">
        {sizeOf(fields)} {revealHidden(reason ?? '')}
      </p>
      <AnswerButton isDead={isGiven} onPress={() => give({ decision: 'deny' })}>
        Deny
      </AnswerButton>
      <AnswerButton isDead={isGiven} lockedBy={isSeen ? undefined : lock} onPress={() => give({ decision: 'allow' })}>
        Allow once
      </AnswerButton>
      {!isSeen && (
        <span id={lock} className="muted">
          Scroll to the end of the input to allow it.
        </span>
      )}
    </section>
  );
}

/** A text to its last character, with characters that cannot be seen written out; only long gaps are told in words. */
function Whole({ text }: { readonly text: string }): ReactNode {
  return foldGaps(text).map((part, index) =>
    'text' in part ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their places
      <pre key={index}>{revealHidden(part.text)}</pre>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their places
      <p key={index} className="muted">
        {part.emptyLines} empty lines
      </p>
    ),
  );
}

function Question({ request, answering: { give, isGiven } }: Props<EventOf<'question-request'>>): ReactNode {
  const questions = questionsOf(request);
  const [content, setContent] = useState<Readonly<Record<string, string>>>({});
  const isAnswered = questions.every(({ question }) => content[question]?.trim());
  const lock = useId();
  function choose({ currentTarget }: FormEvent<HTMLFormElement>): void {
    const chosen = new FormData(currentTarget);
    setContent(Object.fromEntries(questions.map(({ question }) => [question, chosen.getAll(question).join(', ')])));
  }
  function answer(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    give({ decision: 'answer', content });
  }
  return (
    <form ref={bringIntoView} className="request" aria-label="The agent asks" onChange={choose} onSubmit={answer}>
      {questions.length === 0 && <p>{request.message}</p>}
      {questions.map(({ question, options, isMultiple }) =>
        options.length === 0 ? (
          <label key={question} className="words">
            {question}
            <input name={question} required />
          </label>
        ) : (
          // Nothing is chosen at first: one press is no answer.
          <fieldset key={question}>
            <legend>
              {question} {isMultiple && <span className="muted">one or more</span>}
            </legend>
            {options.map(({ label, description }) => (
              <label key={label} className="option">
                <input type={isMultiple ? 'checkbox' : 'radio'} name={question} value={label} />
                <span>
                  {label}
                  {description !== undefined && <span className="muted">{description}</span>}
                </span>
              </label>
            ))}
          </fieldset>
        ),
      )}
      <AnswerButton isDead={isGiven} onPress={() => give({ decision: 'deny' })}>
        Do not answer
      </AnswerButton>
      <AnswerButton isDead={isGiven || questions.length === 0} lockedBy={isAnswered ? undefined : lock}>
        Answer
      </AnswerButton>
      {!isAnswered && (
        <span id={lock} className="muted">
          Something is not answered yet.
        </span>
      )}
    </form>
  );
}
