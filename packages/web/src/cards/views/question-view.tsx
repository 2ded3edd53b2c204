import { fieldOf } from '@tailrace/client/timeline';
import type { AskedQuestion, Json, Question } from '@tailrace/core';
import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { PlainText } from '../../text/plain-text.tsx';
import { JsonTree } from '../json-tree.tsx';

/** What was asked, what could be chosen, and what was. */
export function QuestionView({ question }: { readonly question: Question }): ReactElement {
  const { message, questions, choices, answer, outcome } = question;
  const asked: readonly AskedQuestion[] = questions ?? [
    { question: message, options: (choices ?? []).map((label) => ({ label })) },
  ];
  const answers = asked.map((one) => answerTo(one, answer, asked.length === 1));
  return (
    <div className="flex flex-col gap-3 text-sm">
      {asked.map((one, index) => (
        <div key={one.question} className="flex flex-col gap-1">
          <p className="font-medium wrap-anywhere whitespace-pre-wrap">
            <PlainText text={one.question} isBlock />
          </p>
          <Options asked={one} chosen={answers[index] ?? []} />
        </div>
      ))}
      {answer !== undefined && answers.every((chosen) => chosen.length === 0) && (
        <JsonTree value={answer} label="answer" />
      )}
      {outcome !== undefined && outcome !== 'success' && (
        <p className="text-muted">{outcome === 'denied' ? 'You did not answer.' : 'It was not answered.'}</p>
      )}
    </div>
  );
}

function Options({
  asked,
  chosen,
}: {
  readonly asked: AskedQuestion;
  readonly chosen: readonly string[];
}): ReactElement {
  const labels = new Set(asked.options.map(({ label }) => label));
  const own = chosen.filter((label) => !labels.has(label));
  return (
    <ul className="flex flex-col gap-0.5">
      {[...asked.options, ...own.map((label) => ({ label }))].map((option) => {
        const isChosen = chosen.includes(option.label);
        return (
          <li key={option.label} className={clsx('flex gap-2', !isChosen && 'text-muted')}>
            <span role="img" aria-label={isChosen ? 'chosen' : 'not chosen'} className="w-4 shrink-0 text-center">
              {isChosen ? '●' : '○'}
            </span>
            <span className="min-w-0 wrap-anywhere">
              <span className={isChosen ? 'font-medium' : undefined}>
                <PlainText text={option.label} />
              </span>
              {'description' in option && option.description !== undefined && (
                <span className="text-muted">
                  {' '}
                  <PlainText text={option.description} />
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** An answer goes by the text of its question; the only question may have a bare one. */
function answerTo({ question, options }: AskedQuestion, answer: Json, isOnly: boolean): readonly string[] {
  const told = fieldOf(answer, question) ?? (isOnly ? answer : undefined);
  if (typeof told === 'string') {
    const labels = options.map(({ label }) => label);
    // Several are told in one text, with commas between them.
    const several = told.split(', ');
    return !labels.includes(told) && several.every((one) => labels.includes(one)) ? several : [told];
  }
  return Array.isArray(told) ? told.filter((one): one is string => typeof one === 'string') : [];
}
