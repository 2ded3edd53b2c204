// What the reader does with the timeline: where they are, what they opened, whether it goes on under their eyes.

import {
  countShown,
  createRows,
  type Follow,
  findPart,
  follow,
  followFromStart,
  isFollowing,
  newCount,
  type Row,
  type Rows,
  type ThreadFolds,
  threadsAround,
} from '@tailrace/client/timeline';
import type { Conversation } from '@tailrace/core';
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { isFoldable, opensItself } from '../cards/folding.ts';
import type { TimelineHandle } from './timeline.tsx';

export interface TimelineState {
  readonly handle: React.RefObject<TimelineHandle | null>;
  /** What is shown: while it is paused, as it was then. */
  readonly conversation: Conversation;
  readonly rows: Rows;
  readonly folds: ReadonlyMap<string, boolean>;
  readonly selected: string | null;
  readonly isFollowing: boolean;
  readonly isPaused: boolean;
  readonly newCount: number;
  toggle(row: Row): void;
  toggleSelected(): void;
  select(key: string): void;
  step(by: 1 | -1): void;
  togglePause(): void;
  toStart(): void;
  toEnd(): void;
  scrolled(isAtEnd: boolean): void;
  /** Opens what is around a part, goes there and selects it. False where there is no such part. */
  reveal(partId: string): boolean;
}

export interface TimelineOptions {
  readonly startsAtEnd: boolean;
  /** Only the end is there yet. */
  readonly isTail: boolean;
}

export function useTimeline(source: Conversation, { startsAtEnd, isTail }: TimelineOptions): TimelineState {
  const handle = useRef<TimelineHandle>(null);
  const [state, tell] = useReducer(follow, source, (first): Follow => {
    const count = countShown(first);
    return { ...followFromStart, isAtEnd: startsAtEnd, count, seen: count };
  });
  const [held, setHeld] = useState<Conversation | null>(null);
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [threadFolds, setThreadFolds] = useState<ThreadFolds>(new Map());
  const [selected, setSelected] = useState<string | null>(null);
  const [goal, setGoal] = useState<string | null>(null);
  const [makeRows] = useState(createRows);

  const conversation = held ?? source;
  const rows = useMemo(() => makeRows(conversation, threadFolds), [makeRows, conversation, threadFolds]);
  const latest = useRef({ conversation, rows, source, selected, isHeld: false });
  latest.current = { conversation, rows, source, selected, isHeld: held !== null };

  const count = countShown(source);
  const wasTail = useRef(isTail);
  useEffect(() => {
    tell({ type: wasTail.current && !isTail ? 'loaded' : 'grew', count });
    wasTail.current = isTail;
  }, [count, isTail]);

  // The rows may have to be opened first, and then be drawn.
  useEffect(() => {
    if (goal === null) return;
    const index = rows.rows.findIndex(({ key }) => key === goal);
    if (index < 0) return;
    setGoal(null);
    handle.current?.showRow(index);
  }, [goal, rows]);

  const leaveEnd = useCallback(() => {
    tell({ type: 'scrolled', isAtEnd: false });
    // What is open because it goes on stays open, or it would close under the eyes of whoever reads it.
    const open = latest.current.rows.rows.filter((row) => row.kind === 'thread' && row.isOpen);
    if (open.length === 0) return;
    setThreadFolds((before) => {
      const after = new Map(before);
      for (const row of open) if (row.kind === 'thread' && !after.has(row.threadId)) after.set(row.threadId, true);
      return after.size === before.size ? before : after;
    });
  }, []);

  const actions = useMemo(() => {
    function toggle(row: Row): void {
      if (row.kind === 'thread') setThreadFolds((before) => new Map(before).set(row.threadId, !row.isOpen));
      else if (isFoldable(row.part))
        setFolds((before) => new Map(before).set(row.part.id, !(before.get(row.part.id) ?? opensItself(row.part))));
    }

    function go(index: number): void {
      const row = latest.current.rows.rows[index];
      if (!row) return;
      leaveEnd();
      setSelected(row.key);
      handle.current?.showRow(index);
    }

    return {
      toggle,
      toggleSelected() {
        const { rows: now, selected: key } = latest.current;
        const row = key === null ? undefined : now.rows.find((one) => one.key === key);
        if (row) toggle(row);
      },
      select: (key: string) => setSelected(key),
      step(by: 1 | -1) {
        const { rows: now, selected: key } = latest.current;
        const at = key === null ? -1 : now.rows.findIndex((one) => one.key === key);
        const [first = 0, last = 0] = handle.current?.range() ?? [];
        if (at < 0) go(by > 0 ? first : last);
        else go(Math.min(Math.max(0, at + by), now.rows.length - 1));
      },
      togglePause() {
        const { isHeld, source: now } = latest.current;
        tell({ type: isHeld ? 'resumed' : 'paused' });
        setHeld(isHeld ? null : now);
      },
      toStart() {
        leaveEnd();
        handle.current?.showStart();
      },
      toEnd() {
        setHeld(null);
        setSelected(null);
        tell({ type: 'went-to-end' });
        handle.current?.showEnd();
      },
      scrolled(isAtEnd: boolean) {
        if (isAtEnd) tell({ type: 'scrolled', isAtEnd });
        else leaveEnd();
      },
      reveal(partId: string) {
        const now = latest.current.conversation;
        const part = findPart(now, partId);
        if (!part) return false;
        const around = threadsAround(now, part);
        leaveEnd();
        if (around.length > 0)
          setThreadFolds((before) => {
            const after = new Map(before);
            for (const id of around) after.set(id, true);
            return after;
          });
        if (isFoldable(part)) setFolds((before) => new Map(before).set(part.id, true));
        setSelected(part.id);
        setGoal(part.id);
        return true;
      },
    };
  }, [leaveEnd]);

  return {
    ...actions,
    handle,
    conversation,
    rows,
    folds,
    selected,
    isFollowing: isFollowing(state),
    isPaused: state.isPaused,
    newCount: newCount(state),
  };
}
