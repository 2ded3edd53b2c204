// Everything that came, event by event: what the agent really said, for whoever does not believe the cards.

import { filterEvents, lineOf, noFilter, type RawFilter, typesOf } from '@tailrace/client/timeline';
import type { EventMessage } from '@tailrace/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ReactElement, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Code } from '../text/code.tsx';
import { PlainText } from '../text/plain-text.tsx';
import { useShown } from '../text/shown.tsx';
import { Button } from '../ui/button.tsx';
import { RawLine } from './raw-line.tsx';

export interface RawViewProps {
  readonly sessionId: string;
  readonly events: readonly EventMessage[];
  readonly eventCount: number;
  readonly filter: RawFilter;
  readonly onFilter: (filter: RawFilter) => void;
  readonly onClose: () => void;
}

const ROW_PX = 28;
/** More of an event does not go on a line; what is cut off is looked at for secrets, too, so that no half of one is left. */
const LONGEST_LINE = 300;

export function RawView({ sessionId, events, eventCount, filter, onFilter, onClose }: RawViewProps): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const wanted = useDeferredValue(filter);
  const types = useMemo(() => typesOf(events, eventCount), [events, eventCount]);
  const found = useMemo(() => filterEvents(events, eventCount, wanted), [events, eventCount, wanted]);
  const virtualizer = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  useEffect(() => scroller.current?.focus(), []);
  const message = chosen === null ? undefined : events[chosen];
  return (
    <section
      aria-label="Raw events"
      className="absolute inset-0 z-10 flex flex-col bg-surface"
      onKeyDown={(event) => {
        // The page leaves the keys of a list and of a field alone.
        if (event.key !== 'Escape' || event.target instanceof HTMLInputElement) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 className="text-sm font-semibold">Raw events</h2>
        <select
          aria-label="Type of event"
          value={filter.type}
          onChange={(event) => onFilter({ ...filter, type: event.target.value })}
          className="h-7 max-w-[11rem] rounded-md border border-line bg-raised px-1 text-xs"
        >
          <option value="">all types</option>
          {types.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
        <input
          type="text"
          value={filter.text}
          placeholder="Filter by text"
          aria-label="Filter by text"
          onChange={(event) => onFilter({ ...filter, text: event.target.value })}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          className="h-7 min-w-24 flex-1 rounded-md border border-line bg-raised px-2 text-xs placeholder:text-muted"
        />
        {filter.part && (
          <Button size="sm" onClick={() => onFilter({ ...filter, part: null })}>
            of one part
            <X className="size-3" aria-label="Show all" />
          </Button>
        )}
        <span role="status" className="figures text-xs text-muted">
          {found.length === eventCount ? eventCount : `${found.length} of ${eventCount}`}
        </span>
        <Button kind="quiet" size="sm" aria-label="Back to the timeline" onClick={onClose}>
          <X className="size-3.5" />
        </Button>
      </div>
      {found.length === 0 ? (
        <div className="px-4 py-6 text-sm text-muted">
          Nothing passes the filter.{' '}
          <Button size="sm" onClick={() => onFilter(noFilter)}>
            Show everything
          </Button>
        </div>
      ) : (
        <div
          ref={scroller}
          role="listbox"
          aria-label="Events"
          tabIndex={0}
          aria-activedescendant={chosen === null ? undefined : `raw-${chosen}`}
          onKeyDown={(event) => {
            const step =
              event.key === 'ArrowDown' || event.key === 'j'
                ? 1
                : event.key === 'ArrowUp' || event.key === 'k'
                  ? -1
                  : 0;
            if (step === 0) return;
            event.preventDefault();
            const at = Math.min(Math.max(0, (chosen === null ? -1 : found.indexOf(chosen)) + step), found.length - 1);
            setChosen(found[at] ?? null);
            virtualizer.scrollToIndex(at, { align: 'auto' });
          }}
          className="min-h-32 flex-1 overflow-y-auto outline-offset-[-2px]"
        >
          <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map((item) => {
              const index = found[item.index] ?? 0;
              const one = events[index];
              return one ? (
                <RawRow
                  key={item.key}
                  index={index}
                  message={one}
                  top={item.start}
                  isChosen={index === chosen}
                  onChoose={() => setChosen(index)}
                />
              ) : null;
            })}
          </div>
        </div>
      )}
      {message && (
        <section aria-label="One event" className="max-h-[55%] overflow-y-auto border-t border-line p-4">
          <div className="mb-2 flex items-center gap-2 text-xs text-muted">
            <span className="figures">
              event {(chosen ?? 0) + 1} · line {message.position}
            </span>
            <Button kind="quiet" size="sm" className="ml-auto" onClick={() => setChosen(null)}>
              Close
            </Button>
          </div>
          <Code text={JSON.stringify(message.event, null, 2)} language="json" maxLines={60} />
          <div className="mt-3">
            <RawLine key={message.position} sessionId={sessionId} position={message.position} />
          </div>
        </section>
      )}
    </section>
  );
}

interface RawRowProps {
  readonly index: number;
  readonly message: EventMessage;
  readonly top: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function RawRow({ index, message, top, isChosen, onChoose }: RawRowProps): ReactElement {
  const shown = useShown();
  const { event } = message;
  const at = event.at ?? event.time;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and names the one that is chosen
    <div
      id={`raw-${index}`}
      role="option"
      aria-selected={isChosen}
      onClick={onChoose}
      style={{ transform: `translateY(${top}px)`, height: ROW_PX }}
      className={clsx(
        'absolute inset-x-0 top-0 flex cursor-pointer items-center gap-3 px-4 font-mono text-xs',
        isChosen ? 'bg-sunken' : 'hover:bg-sunken',
      )}
    >
      <span className="figures w-12 shrink-0 text-right text-muted">{index + 1}</span>
      <span className="figures w-24 shrink-0 text-muted max-sm:hidden">{at === undefined ? '' : timeOf(at)}</span>
      <span className={clsx('w-40 shrink-0 truncate', event.type === 'raw' && 'text-bad')}>{event.type}</span>
      <span className="min-w-0 flex-1 truncate text-muted">
        <PlainText text={shown(lineOf(message, 2 * LONGEST_LINE)).slice(0, LONGEST_LINE)} />
      </span>
    </div>
  );
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 23);
}
