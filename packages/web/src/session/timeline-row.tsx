// One row of the timeline: a part with what can be done with it, or the fold of a sub-agent's thread. Rows are drawn again only when
// what they show has changed: the conversation around them does so with every word.

import type { Waiter } from '@tailrace/client/timeline';
import { type PartEntry, type Row, type ThreadEntry, taskOf } from '@tailrace/client/timeline';
import type { Conversation } from '@tailrace/core';
import type { CutString } from '@tailrace/protocol';
import { clsx } from 'clsx';
import { Braces, ChevronDown, ChevronRight, Link } from 'lucide-react';
import { memo, type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { RequestCard } from '../answer/request-card.tsx';
import { opensItself } from '../cards/folding.ts';
import { PartRow } from '../cards/part-row.tsx';
import { Button } from '../ui/button.tsx';

export interface RowActions {
  toggle(row: Row): void;
  copyLink(partId: string): void;
  showRaw(partId: string): void;
  select(key: string): void;
}

export interface TimelineRowProps {
  readonly row: Row;
  readonly index: number;
  readonly conversation: Conversation;
  readonly sessionId: string;
  /** What the reader wants of it; else it opens itself or not. */
  readonly fold: boolean | undefined;
  readonly cut: readonly CutString[] | undefined;
  readonly waiter: Waiter | undefined;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly actions: RowActions;
  readonly measure: (element: HTMLElement | null) => void;
}

export const TimelineRow = memo(PlainTimelineRow, isSame);

function PlainTimelineRow(props: TimelineRowProps): ReactElement {
  const { row, index, isSelected, isMarked, actions, measure } = props;
  const element = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (isSelected) element.current?.focus({ preventScroll: true });
  }, [isSelected]);
  return (
    <article
      ref={(node) => {
        element.current = node;
        measure(node);
      }}
      data-index={index}
      data-key={row.key}
      tabIndex={-1}
      aria-posinset={index + 1}
      aria-setsize={-1}
      aria-label={row.kind === 'part' ? labelOf(row) : 'sub-agent'}
      aria-current={isMarked || isSelected ? 'true' : undefined}
      onFocus={(event) => event.target === event.currentTarget && actions.select(row.key)}
      className="group/row px-4 py-1 outline-none"
    >
      <div
        className={clsx(
          'relative rounded-md',
          isMarked
            ? 'bg-sunken ring-2 ring-working'
            : isSelected && 'ring-1 ring-strong-line ring-offset-4 ring-offset-surface',
        )}
        style={row.depth > 0 ? { paddingLeft: row.depth * 20 } : undefined}
      >
        {Array.from({ length: row.depth }, (_, depth) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: rails have no other name than their depth
            key={depth}
            aria-hidden="true"
            className="absolute -top-1 -bottom-1 border-l border-line"
            style={{ left: depth * 20 + 7 }}
          />
        ))}
        {row.kind === 'part' ? (
          <PartOf {...props} row={row} />
        ) : (
          <ThreadFold row={row} onToggle={() => actions.toggle(row)} />
        )}
      </div>
    </article>
  );
}

function PartOf({
  row,
  conversation,
  sessionId,
  fold,
  cut,
  waiter,
  actions,
}: TimelineRowProps & { readonly row: PartEntry }): ReactElement {
  const { part } = row;
  const tools: ReactNode = (
    // On a phone there is room for them only beside what was touched.
    <span className="inline-flex max-sm:hidden max-sm:group-focus-within/row:inline-flex">
      <Button
        kind="quiet"
        size="sm"
        className="w-6 px-0!"
        aria-label="Copy a link to this"
        title="Copy a link to this"
        onClick={() => actions.copyLink(part.id)}
      >
        <Link className="size-3.5" />
      </Button>
      <Button
        kind="quiet"
        size="sm"
        className="w-6 px-0!"
        aria-label="Show the raw lines of this"
        title="Show the raw lines of this"
        onClick={() => actions.showRaw(part.id)}
      >
        <Braces className="size-3.5" />
      </Button>
    </span>
  );
  return (
    <>
      <PartRow
        part={part}
        conversation={conversation}
        isOpen={fold ?? opensItself(part)}
        onToggle={() => actions.toggle(row)}
        tools={tools}
        sessionId={sessionId}
        {...(cut && { cut })}
      />
      {waiter?.request && (
        <div className="mt-2">
          <RequestCard request={waiter.request} />
        </div>
      )}
      {waiter?.isElsewhere && <p className="mt-1 text-sm text-muted">It waits for an answer in its own terminal.</p>}
    </>
  );
}

function ThreadFold({ row, onToggle }: { readonly row: ThreadEntry; readonly onToggle: () => void }): ReactElement {
  const { task, partCount, isOpen } = row;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex max-w-full items-center gap-1.5 rounded-sm pl-5 text-xs text-muted hover:text-text"
    >
      {isOpen ? <ChevronDown className="size-3.5 shrink-0" /> : <ChevronRight className="size-3.5 shrink-0" />}
      <span className="truncate">
        {isOpen ? 'Fold' : 'Show'} {task ? 'its timeline' : 'the timeline of a sub-agent that nobody started here'}
      </span>
      <span className="figures whitespace-nowrap">
        {partCount} {partCount === 1 ? 'step' : 'steps'}
      </span>
    </button>
  );
}

const LABELS: Readonly<Partial<Record<PartEntry['part']['type'], string>>> = {
  prompt: 'prompt',
  text: 'answer',
  call: 'tool call',
  raw: 'line that was not understood',
};

function labelOf({ part }: PartEntry): string {
  const word = LABELS[part.type] ?? part.type;
  return 'name' in part && part.name ? `${word} ${part.name}` : word;
}

function isSame(before: TimelineRowProps, after: TimelineRowProps): boolean {
  return (
    isSameRow(before.row, after.row) &&
    before.index === after.index &&
    before.fold === after.fold &&
    before.cut === after.cut &&
    before.waiter?.requestId === after.waiter?.requestId &&
    before.waiter?.request === after.waiter?.request &&
    before.waiter?.isElsewhere === after.waiter?.isElsewhere &&
    before.isSelected === after.isSelected &&
    before.isMarked === after.isMarked &&
    before.actions === after.actions &&
    before.sessionId === after.sessionId &&
    // A card of a sub-agent tells what its thread has come to.
    (before.conversation === after.conversation || after.row.kind === 'thread' || taskOf(after.row.part) === undefined)
  );
}

function isSameRow(before: Row, after: Row): boolean {
  if (before === after) return true;
  if (before.depth !== after.depth) return false;
  if (before.kind === 'part') return after.kind === 'part' && before.part === after.part;
  return (
    after.kind === 'thread' &&
    before.key === after.key &&
    before.partCount === after.partCount &&
    before.isOpen === after.isOpen &&
    before.task === after.task
  );
}
