// The whole of an input in a box that scrolls, with a mark at its end.

import { foldGaps, type ShownField, type TextRun } from '@tailrace/client/timeline';
import type { ReactElement, Ref } from 'react';
import { PlainText } from '../text/plain-text.tsx';

export interface InputViewProps {
  readonly fields: readonly ShownField[];
  /** Of a mark after the last of it. */
  readonly endRef: Ref<HTMLDivElement>;
}

export function InputView({ fields, endRef }: InputViewProps): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields, and no landmark either, since there may be many
    <div
      role="group"
      aria-label="The whole input"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it has to be scrolled by keys as well
      tabIndex={0}
      className="max-h-80 overflow-y-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm"
    >
      {fields.length === 0 && <span className="font-sans text-muted">no input</span>}
      {fields.map((field) => (
        <Field key={field.name ?? ''} field={field} />
      ))}
      <div ref={endRef} className="h-px" data-end="" />
    </div>
  );
}

function Field({ field: { name, text, look } }: { readonly field: ShownField }): ReactElement {
  const isShort = look !== 'command' && text.length <= 200 && !text.includes('\n');
  const value = <WholeText text={text} />;
  if (name === undefined || look === 'command') return <div className={look === 'command' ? 'mb-1' : ''}>{value}</div>;
  return isShort ? (
    <div className="flex flex-wrap gap-x-2">
      <FieldName name={name} />
      <span className="min-w-0">{value}</span>
    </div>
  ) : (
    <div className="my-1">
      <FieldName name={name} />
      <div className="border-l-2 border-line pl-3">{value}</div>
    </div>
  );
}

function FieldName({ name }: { readonly name: string }): ReactElement {
  return (
    <span className="text-muted">
      <PlainText text={name} />:
    </span>
  );
}

/** A text to its last character. Only long gaps are folded, and it is said how long they are. */
function WholeText({ text }: { readonly text: string }): ReactElement {
  return (
    <div className="[overflow-wrap:anywhere]">
      {foldGaps(text).map((run, index) => (
        // The parts of one text never change their places.
        // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else to be told apart by
        <Run key={index} run={run} />
      ))}
    </div>
  );
}

function Run({ run }: { readonly run: TextRun }): ReactElement {
  if ('text' in run)
    return (
      <div>
        <PlainText text={run.text} isBlock />
      </div>
    );
  return (
    <div className="my-1 border-y border-dashed border-strong-line py-0.5 text-center font-sans text-xs text-muted">
      {run.emptyLines} empty lines
    </div>
  );
}
