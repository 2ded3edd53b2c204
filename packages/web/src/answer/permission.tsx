// A permission: the whole input, and yes, always, no, or something else in its place.

import { editableText, fieldsOf, isGlance, readEdited, type ShownField, sizeOf } from '@tailrace/client/timeline';
import { type EventOf, revealHidden } from '@tailrace/core';
import { Ellipsis } from 'lucide-react';
import { type ReactElement, type ReactNode, useId, useState } from 'react';
import { PlainText } from '../text/plain-text.tsx';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { AnswerButton } from './answer-button.tsx';
import { InputView } from './input-view.tsx';
import { NoteField } from './note-field.tsx';
import { SecretNote } from './secret-note.tsx';
import type { Answering } from './use-answering.ts';
import { useEndSeen } from './use-end-seen.ts';

export interface PermissionProps {
  readonly request: EventOf<'permission-request'>;
  readonly answering: Answering;
  /** One line of it, until somebody wants to see the whole. */
  readonly isFolded: boolean;
  readonly onUnfold: () => void;
}

type Extra = 'none' | 'reason' | 'edit';

export function Permission({ request, answering, isFolded, onUnfold }: PermissionProps): ReactElement {
  const fields = fieldsOf(request.input);
  const always = request.options?.filter(({ kind }) => kind === 'allow_always') ?? [];
  const { ref: endRef, isSeen } = useEndSeen();
  const [extra, setExtraShown] = useState<Extra>('none');
  const [reason, setReason] = useState('');
  const [edited, setEdited] = useState(() => editableText(request.input));
  const lockId = useId();
  const isWhole = !isFolded || isGlance(fields);
  const lockedBy = isWhole && isSeen ? undefined : lockId;
  const { isGiven, give, setWriting } = answering;
  const setExtra = (next: Extra): void => {
    setExtraShown(next);
    setWriting(next !== 'none');
  };
  const deny = (why: string): void => give({ decision: 'deny', ...(why.trim() !== '' && { reason: why.trim() }) });

  return (
    <div className="flex flex-col gap-3">
      {isWhole ? <InputView fields={fields} endRef={endRef} /> : <Beginning fields={fields} onUnfold={onUnfold} />}
      <SecretNote input={request.input} />
      {extra === 'reason' && (
        <NoteField
          label="What is it to do instead?"
          value={reason}
          onChange={setReason}
          onCancel={() => setExtra('none')}
        >
          <AnswerButton isDead={isGiven} onPress={() => deny(reason)}>
            Deny
          </AnswerButton>
        </NoteField>
      )}
      {extra === 'edit' && (
        <Editor
          text={edited}
          onChange={setEdited}
          onCancel={() => setExtra('none')}
          answering={answering}
          lockedBy={lockedBy}
        />
      )}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <Facts size={sizeOf(fields)} reason={request.reason} rules={always.map(({ name }) => name)} />
        {extra === 'none' && (
          <div className="flex flex-wrap items-center justify-end gap-2 max-sm:w-full max-sm:justify-start max-sm:gap-1.5">
            {lockedBy !== undefined && !isGiven && (
              <p id={lockId} className="text-xs text-muted max-sm:w-full">
                {isWhole ? 'Scroll to the end of the input to allow it.' : 'Show all of it to allow it.'}
              </p>
            )}
            <AnswerButton isDead={isGiven} onPress={() => deny('')}>
              Deny
            </AnswerButton>
            <AnswerButton isDead={isGiven} lockedBy={lockedBy} onPress={() => give({ decision: 'allow' })}>
              Allow once
            </AnswerButton>
            {always.length > 0 && (
              <AnswerButton
                isDead={isGiven}
                lockedBy={lockedBy}
                title={always.map(({ name }) => revealHidden(name)).join('\n')}
                onPress={() => give({ decision: 'allow', always: true })}
              >
                Allow always
              </AnswerButton>
            )}
            <MoreAnswers isDead={isGiven} onExtra={setExtra} />
          </div>
        )}
      </div>
    </div>
  );
}

/** What is rarely said. */
function MoreAnswers({
  isDead,
  onExtra,
}: {
  readonly isDead: boolean;
  readonly onExtra: (extra: Extra) => void;
}): ReactElement {
  return (
    <Menu
      label="Other answers"
      trigger={
        <Button
          kind="quiet"
          disabled={isDead}
          aria-label="Other answers"
          title="Other answers"
          className="px-2! max-sm:h-11"
        >
          <Ellipsis className="size-4" aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onExtra('reason')}>Deny with a reason…</MenuItem>
      <MenuItem onSelect={() => onExtra('edit')}>Edit the input…</MenuItem>
    </Menu>
  );
}

interface FactsProps {
  readonly size: string;
  readonly reason: string | undefined;
  readonly rules: readonly string[];
}

/** How much it is, why it asks, and what `always` would mean. */
function Facts({ size, reason, rules }: FactsProps): ReactElement {
  return (
    <dl className="flex min-w-0 flex-col gap-0.5 text-xs text-muted">
      <Fact name="the whole input">{size}</Fact>
      {reason !== undefined && (
        <Fact name="why it asks">
          <PlainText text={reason} />
        </Fact>
      )}
      {rules.map((rule) => (
        <Fact key={rule} name="always means">
          <PlainText text={rule} />
        </Fact>
      ))}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt className="inline">{name}: </dt>
      <dd className="inline text-text [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Beginning({
  fields,
  onUnfold,
}: {
  readonly fields: readonly ShownField[];
  readonly onUnfold: () => void;
}): ReactElement {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <code className="min-w-40 flex-1 truncate text-sm">
        <PlainText text={beginningOf(fields[0]?.text ?? '')} />
      </code>
      <Button size="sm" onClick={onUnfold}>
        Show all: {sizeOf(fields)}
      </Button>
    </div>
  );
}

/** Its first line; it is said beside it how much there is. */
function beginningOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length < text.length ? `${line.slice(0, 200)} …` : line;
}

interface EditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onCancel: () => void;
  readonly answering: Answering;
  readonly lockedBy: string | undefined;
}

function Editor({ text, onChange, onCancel, answering, lockedBy }: EditorProps): ReactElement {
  const read = readEdited(text);
  const faultId = useId();
  const isFaulty = 'fault' in read;
  return (
    <NoteField
      label="It runs with this input, not with what the agent asked for:"
      value={text}
      onChange={onChange}
      onCancel={onCancel}
      isCode
      describedBy={faultId}
    >
      <p id={faultId} role="status" className={`w-full text-xs ${isFaulty ? 'text-bad' : 'text-muted'}`}>
        {isFaulty ? read.fault : 'This can be run.'}
      </p>
      <AnswerButton
        isDead={answering.isGiven}
        lockedBy={isFaulty ? faultId : lockedBy}
        onPress={() => 'input' in read && answering.give({ decision: 'allow', input: read.input })}
      >
        Allow once, as edited
      </AnswerButton>
    </NoteField>
  );
}
