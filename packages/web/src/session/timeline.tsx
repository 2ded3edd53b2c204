// The timeline: only the rows near what is seen are in the page. It stays at its end while it follows; otherwise what the reader looks
// at keeps its place, whatever is added, measured or folded around it.

import type { Rows, Waiter } from '@tailrace/client/timeline';
import type { Conversation } from '@tailrace/core';
import type { CutString } from '@tailrace/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactElement,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { type RowActions, TimelineRow } from './timeline-row.tsx';

export interface TimelineHandle {
  showRow(index: number): void;
  showEnd(): void;
  showStart(): void;
  /** The rows that are seen, the first and the last. */
  range(): readonly [first: number, last: number];
}

export interface TimelineProps {
  readonly handle: Ref<TimelineHandle>;
  readonly sessionId: string;
  readonly rows: Rows;
  readonly conversation: Conversation;
  readonly cuts: ReadonlyMap<string, readonly CutString[]>;
  /** What waits for the person, by the part that shows it. */
  readonly waiting: ReadonlyMap<string, Waiter>;
  /** Parts that the reader has opened or folded. */
  readonly folds: ReadonlyMap<string, boolean>;
  readonly selected: string | null;
  readonly marked: string | undefined;
  readonly isFollowing: boolean;
  /** What came before is still to come. */
  readonly isTail: boolean;
  readonly actions: RowActions;
  readonly onScrolled: (isAtEnd: boolean) => void;
  /** The rows that are seen have changed. */
  readonly onRange: (first: number, last: number) => void;
}

/** So near the end counts as the end. */
const END_PX = 48;
/** Most rows are one line. */
const ROW_PX = 40;

export function Timeline(props: TimelineProps): ReactElement {
  const { rows, keysVersion } = props.rows;
  const { isFollowing, onScrolled, onRange } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const latest = useRef(rows);
  latest.current = rows;
  // A new function makes the list measure everything anew, so there is one only where keys have changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the keys
  const getItemKey = useCallback((index: number) => latest.current[index]?.key ?? index, [keysVersion]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey,
    overscan: 6,
    anchorTo: 'end',
    followOnAppend: isFollowing,
    scrollEndThreshold: END_PX,
    paddingStart: 16,
    paddingEnd: 24,
  });

  useImperativeHandle(props.handle, () => ({
    showRow: (index) => virtualizer.scrollToIndex(index, { align: 'center' }),
    showEnd: () => virtualizer.scrollToEnd(),
    showStart: () => virtualizer.scrollToOffset(0),
    range: () => [virtualizer.range?.startIndex ?? 0, virtualizer.range?.endIndex ?? 0],
  }));

  useLayoutEffect(() => {
    if (isFollowing) virtualizer.scrollToEnd();
  }, [isFollowing, virtualizer]);

  // Only the reader scrolls up. What grows at the end has not left it.
  const top = useRef(0);
  const scrolled = (): void => {
    const element = scroller.current;
    if (!element) return;
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight <= END_PX;
    if (isAtEnd) onScrolled(true);
    else if (element.scrollTop < top.current - 1) onScrolled(false);
    top.current = element.scrollTop;
  };

  const first = virtualizer.range?.startIndex ?? 0;
  const last = virtualizer.range?.endIndex ?? 0;
  useEffect(() => onRange(first, last), [first, last, onRange]);

  const items = virtualizer.getVirtualItems();
  return (
    <div
      ref={scroller}
      role="feed"
      aria-label="Timeline"
      aria-busy={props.isTail}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it with the keys
      tabIndex={0}
      onScroll={scrolled}
      className="h-full overflow-y-auto overscroll-contain outline-offset-[-2px] [overflow-anchor:none]"
    >
      <div className="relative mx-auto w-full max-w-[820px]" style={{ height: virtualizer.getTotalSize() }}>
        <div className="absolute inset-x-0 top-0" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {items.map((item) => {
            const row = rows[item.index];
            if (!row) return null;
            const id = row.kind === 'part' ? row.part.id : row.key;
            return (
              <TimelineRow
                key={item.key}
                measure={virtualizer.measureElement}
                index={item.index}
                row={row}
                conversation={props.conversation}
                sessionId={props.sessionId}
                fold={props.folds.get(id)}
                cut={props.cuts.get(id)}
                waiter={props.waiting.get(id)}
                isSelected={props.selected === row.key}
                isMarked={props.marked === id}
                actions={props.actions}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
