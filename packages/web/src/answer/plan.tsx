// A plan: yes to it, or back with a note.

import { fieldsOf } from '@tailrace/client/timeline';
import type { EventOf } from '@tailrace/core';
import { lazy, type ReactElement, Suspense, useId, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Loading } from '../ui/states.tsx';
import { AnswerButton } from './answer-button.tsx';
import { InputView } from './input-view.tsx';
import { NoteField } from './note-field.tsx';
import type { Answering } from './use-answering.ts';
import { useEndSeen } from './use-end-seen.ts';

// The home page has no other formatted text.
const Markdown = lazy(() => import('../text/markdown.tsx').then((module) => ({ default: module.Markdown })));

export interface PlanProps {
  readonly text: string;
  readonly request: EventOf<'permission-request'>;
  readonly answering: Answering;
}

export function Plan({ text, request, answering: { give, isGiven, setWriting } }: PlanProps): ReactElement {
  const { ref, isSeen } = useEndSeen();
  const { ref: restRef, isSeen: isRestSeen } = useEndSeen();
  const [note, setNote] = useState('');
  const [isNoteOpen, setNoteShown] = useState(false);
  const setNoteOpen = (isOpen: boolean): void => {
    setNoteShown(isOpen);
    setWriting(isOpen);
  };
  const lockId = useId();
  // The plan itself may be in the input again.
  const rest = fieldsOf(request.input).filter((field) => field.text !== text);
  const lockedBy = isSeen && (rest.length === 0 || isRestSeen) ? undefined : lockId;
  return (
    <div className="flex flex-col gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: it is no set of fields, and no landmark either, since there may be many */}
      <div
        role="group"
        aria-label="The whole plan"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it has to be scrolled by keys as well
        tabIndex={0}
        className="max-h-[50vh] overflow-y-auto rounded-md border border-line bg-surface px-4 py-3"
      >
        <Suspense fallback={<Loading label="The plan is loading" />}>
          <Markdown text={text} />
          <div ref={ref} className="h-px" data-end="" />
        </Suspense>
      </div>
      {rest.length > 0 && <InputView fields={rest} endRef={restRef} />}
      {isNoteOpen ? (
        <NoteField
          label="What should be different?"
          value={note}
          onChange={setNote}
          onCancel={() => setNoteOpen(false)}
        >
          <AnswerButton
            isDead={isGiven}
            onPress={() => give({ decision: 'deny', ...(note.trim() !== '' && { reason: note.trim() }) })}
          >
            Send back
          </AnswerButton>
        </NoteField>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button disabled={isGiven} onClick={() => setNoteOpen(true)}>
            Send back…
          </Button>
          <AnswerButton isDead={isGiven} lockedBy={lockedBy} onPress={() => give({ decision: 'allow' })}>
            Approve
          </AnswerButton>
        </div>
      )}
      {lockedBy !== undefined && !isGiven && (
        <p id={lockId} className="text-xs text-muted">
          Scroll to the end of the plan to approve it.
        </p>
      )}
    </div>
  );
}
