// What waits for the person: a permission with its whole input, or a question.

import { fieldsOf, sizeOf } from '@tailrace/client/timeline';
import { type Answer, type EventOf, type RequestEvent, revealHidden } from '@tailrace/core';
import type { FormEvent, ReactNode } from 'react';

interface Props<R extends RequestEvent> {
  readonly request: R;
  readonly onAnswer: (answer: Answer) => void;
}

export function Request({ request, onAnswer }: Props<RequestEvent>): ReactNode {
  return request.type === 'permission-request' ? (
    <Permission request={request} onAnswer={onAnswer} />
  ) : (
    <Question request={request} onAnswer={onAnswer} />
  );
}

function Permission({ request, onAnswer }: Props<EventOf<'permission-request'>>): ReactNode {
  const { toolName, input, reason } = request;
  const fields = fieldsOf(input);
  return (
    <section className="request" aria-label="The agent asks">
      <h2>The agent asks to use {toolName ?? 'a tool'}</h2>
      {fields.map(({ name = '', text }) => (
        <div key={name}>
          <span className="muted">{name}</span>
          {/* Characters that cannot be seen are written out: what is allowed is what stands here. */}
          <pre>{revealHidden(text)}</pre>
        </div>
      ))}
      <p className="muted">
        {sizeOf(fields)} {reason}
      </p>
      <button type="button" onClick={() => onAnswer({ decision: 'deny' })}>
        Deny
      </button>
      <button type="button" onClick={() => onAnswer({ decision: 'allow' })}>
        Allow once
      </button>
    </section>
  );
}

function Question({ request, onAnswer }: Props<EventOf<'question-request'>>): ReactNode {
  const { message, questions = [] } = request;
  function answer(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget);
    const content = Object.fromEntries(questions.map(({ question }) => [question, String(chosen.get(question))]));
    onAnswer({ decision: 'answer', content });
  }
  return (
    <form className="request" aria-label="The agent asks" onSubmit={answer}>
      {questions.length === 0 && <p>{message}</p>}
      {questions.map(({ question, options }) => (
        <label key={question}>
          {question}
          <select name={question}>
            {options.map(({ label }) => (
              <option key={label}>{label}</option>
            ))}
          </select>
        </label>
      ))}
      <button type="button" onClick={() => onAnswer({ decision: 'deny' })}>
        Do not answer
      </button>
      <button type="submit" disabled={questions.length === 0}>
        Answer
      </button>
    </form>
  );
}
