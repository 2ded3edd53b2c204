// Questions with options and room for other words, or a form to fill.

import { type FormField, formContent, formFieldsOf, questionsOf } from '@tailrace/client/timeline';
import { type AskedQuestion, type EventOf, revealHidden } from '@tailrace/core';
import { type ReactElement, useId, useState } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { AnswerButton } from './answer-button.tsx';
import type { Answering } from './use-answering.ts';

export interface QuestionProps {
  readonly request: EventOf<'question-request'>;
  readonly answering: Answering;
}

export function Question({ request, answering }: QuestionProps): ReactElement {
  const questions = questionsOf(request);
  return questions.length > 0 ? (
    <Choices questions={questions} answering={answering} />
  ) : (
    <Form request={request} answering={answering} />
  );
}

// ── Questions ─────────────────────────────────────────────────────────────────────────────────────

/** What was chosen of one question: options by their places, and the person's own words. */
interface Chosen {
  readonly options: ReadonlySet<number>;
  readonly isOther: boolean;
  readonly other: string;
}

const NOTHING: Chosen = { options: new Set(), isOther: false, other: '' };

function Choices({
  questions,
  answering,
}: {
  readonly questions: readonly AskedQuestion[];
  readonly answering: Answering;
}): ReactElement {
  const [chosen, setChosen] = useState<readonly Chosen[]>(() => questions.map(() => NOTHING));
  const answers = questions.map((asked, index) => answerTo(asked, chosen[index] ?? NOTHING));
  return (
    <div className="flex flex-col gap-4">
      {questions.map((asked, index) => (
        <OneQuestion
          key={asked.question}
          asked={asked}
          chosen={chosen[index] ?? NOTHING}
          onChange={(next) => setChosen(chosen.map((one, at) => (at === index ? next : one)))}
        />
      ))}
      <AnswerRow
        answering={answering}
        isReady={answers.every((one) => one !== '')}
        onAnswer={() =>
          answering.give({
            decision: 'answer',
            content: Object.fromEntries(questions.map(({ question }, index) => [question, answers[index]])),
          })
        }
      />
    </div>
  );
}

/** The labels and words, as the agent reads them; empty while nothing is chosen. */
function answerTo({ options }: AskedQuestion, { options: places, isOther, other }: Chosen): string {
  const words = isOther ? other.trim() : '';
  if (isOther && words === '') return '';
  const labels = options.filter((_, index) => places.has(index)).map(({ label }) => label);
  return [...labels, ...(words === '' ? [] : [words])].join(', ');
}

interface OneQuestionProps {
  readonly asked: AskedQuestion;
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}

function OneQuestion({ asked, chosen, onChange }: OneQuestionProps): ReactElement {
  const name = useId();
  const { question, options, isMultiple } = asked;
  const type = isMultiple ? 'checkbox' : 'radio';
  function toggle(place: number, isOn: boolean): void {
    const places = new Set(isMultiple ? chosen.options : []);
    if (isOn) places.add(place);
    else places.delete(place);
    onChange({ ...chosen, options: places, isOther: isMultiple ? chosen.isOther : false });
  }
  return (
    <fieldset>
      <legend className="mb-1.5 max-w-[80ch] font-medium">
        <PlainText text={question} isBlock />
        {isMultiple && <span className="ml-2 text-xs font-normal text-muted">one or more</span>}
      </legend>
      <div className="flex max-w-[80ch] flex-col gap-1">
        {options.map(({ label, description }, index) => (
          <label
            key={label}
            className="flex min-h-9 cursor-pointer items-start gap-2.5 rounded-md border border-line bg-surface px-3 py-1.5 hover:border-strong-line has-checked:border-working"
          >
            <input
              type={type}
              name={name}
              checked={chosen.options.has(index)}
              onChange={(event) => toggle(index, event.target.checked)}
              className="mt-1 accent-working"
            />
            <span className="min-w-0">
              <PlainText text={label} />
              {description !== undefined && (
                <span className="block text-xs text-muted">
                  <PlainText text={description} isBlock />
                </span>
              )}
            </span>
          </label>
        ))}
        <div className="flex min-h-9 items-center gap-2.5 rounded-md border border-line bg-surface px-3 py-1 has-checked:border-working">
          {options.length > 0 && (
            <input
              type={type}
              name={name}
              aria-label="Something else"
              checked={chosen.isOther}
              onChange={(event) =>
                onChange({
                  ...chosen,
                  isOther: event.target.checked,
                  ...(!isMultiple && { options: new Set<number>() }),
                })
              }
              className="accent-working"
            />
          )}
          <input
            type="text"
            aria-label={options.length > 0 ? 'Something else, in your own words' : 'Your answer'}
            placeholder={options.length > 0 ? 'Something else' : 'Your answer'}
            value={chosen.other}
            onChange={(event) =>
              onChange({
                other: event.target.value,
                isOther: event.target.value.trim() !== '',
                options: isMultiple || event.target.value.trim() === '' ? chosen.options : new Set(),
              })
            }
            className="h-7 min-w-0 flex-1 bg-transparent text-sm placeholder:text-muted"
          />
        </div>
      </div>
    </fieldset>
  );
}

// ── Forms ─────────────────────────────────────────────────────────────────────────────────────────

function Form({ request, answering }: QuestionProps): ReactElement {
  const fields = formFieldsOf(request.schema);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const content = formContent(fields, typed);
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-[80ch]">
        <PlainText text={request.message} isBlock />
      </p>
      {fields.map((field) => (
        <FormRow
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          onChange={(value) => setTyped({ ...typed, [field.name]: value })}
        />
      ))}
      <AnswerRow
        answering={answering}
        isReady={content !== undefined}
        label={fields.length > 0 ? 'Answer' : 'Yes'}
        onAnswer={() => content && answering.give({ decision: 'answer', content })}
      />
    </div>
  );
}

interface FormRowProps {
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FormRow({ field, value, onChange }: FormRowProps): ReactElement {
  const id = useId();
  const choices = field.type === 'boolean' ? ['yes', 'no'] : field.choices;
  const look = 'h-9 w-full max-w-md rounded-md border border-strong-line bg-raised px-3 text-sm';
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm">
        <PlainText text={field.label} />
        {!field.isRequired && <span className="text-muted"> (may be empty)</span>}
      </label>
      {choices.length > 0 ? (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className={look}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {revealHidden(choice)}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={value}
          inputMode={field.type === 'number' ? 'decimal' : 'text'}
          onChange={(event) => onChange(event.target.value)}
          className={look}
        />
      )}
    </div>
  );
}

// ── Both ──────────────────────────────────────────────────────────────────────────────────────────

interface AnswerRowProps {
  readonly answering: Answering;
  readonly isReady: boolean;
  readonly label?: string;
  readonly onAnswer: () => void;
}

function AnswerRow({
  answering: { isGiven, give },
  isReady,
  label = 'Answer',
  onAnswer,
}: AnswerRowProps): ReactElement {
  const lockId = useId();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <AnswerButton isDead={isGiven} onPress={() => give({ decision: 'deny' })}>
        {label === 'Yes' ? 'No' : 'Do not answer'}
      </AnswerButton>
      <AnswerButton isDead={isGiven} lockedBy={isReady ? undefined : lockId} onPress={onAnswer}>
        {label}
      </AnswerButton>
      {!isReady && (
        <p id={lockId} className="text-xs text-muted">
          Something is not answered yet.
        </p>
      )}
    </div>
  );
}
