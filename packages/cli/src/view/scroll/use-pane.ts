// A list on the screen, in React: only the items that are seen are made into lines.

import { useState } from 'react';
import type { KeyName } from '../keys.ts';
import type { Line } from '../text/line.ts';
import { choose, keepPane, type Pane, paneAtEnd, paneAtTop, paneKey } from './pane.ts';
import { type Heights, isAtEnd, seenFrom } from './place.ts';

export interface PaneOptions {
  readonly count: number;
  readonly room: number;
  /** The lines of an item; asked for often, so it remembers. */
  linesOf(item: number): readonly Line[];
  /** The list stays at its end while it grows. */
  readonly isFollowing?: boolean;
  /** Where the chosen item is by now, if it has moved. */
  readonly chosen?: number;
}

export interface PaneView {
  readonly chosen: number;
  /** What is seen, with the item that each line belongs to. */
  readonly lines: readonly { readonly item: number; readonly line: Line }[];
  /** What became of it by a key; nothing where that was none of a list. */
  take(key: KeyName): { readonly chosen: number; readonly isLast: boolean } | undefined;
  /** Goes to an item. */
  choose(item: number): void;
  /** The end. */
  end(): void;
}

/** How a list is looked through. */
export function usePane({ count, room, linesOf, isFollowing = false, chosen = -1 }: PaneOptions): PaneView {
  const latest = useLatest<Pane>(paneAtTop);
  const heights: Heights = { count, room: Math.max(1, room), heightOf: (item) => Math.max(1, linesOf(item).length) };
  const isMoved = chosen >= 0 && chosen !== latest.get().chosen;
  const kept = isMoved ? choose(latest.get(), chosen, heights) : keepPane(latest.get(), heights);
  const pane = isFollowing ? paneAtEnd(heights) : kept;
  // What is shown is where the next key goes on from, also when it was put there by following.
  latest.put(pane);
  return {
    chosen: pane.chosen,
    lines: seenFrom(pane.place, heights).map(({ item, line }) => ({ item, line: linesOf(item)[line] ?? [] })),
    take(key) {
      const next = paneKey(latest.get(), key, heights);
      if (!next) return undefined;
      latest.set(next);
      return { chosen: next.chosen, isLast: next.chosen >= count - 1 && isAtEnd(next.place, heights) };
    },
    choose: (item) => latest.set(choose(latest.get(), item, heights)),
    end: () => latest.set(paneAtEnd(heights)),
  };
}

export interface Latest<T> {
  get(): T;
  /** With the next drawing. */
  set(value: T): void;
  /** Without one. */
  put(value: T): void;
}

/** A value that several keys in a row can change: each sees what the one before it has left. */
export function useLatest<T>(initial: T): Latest<T> {
  const [, draw] = useState({});
  const [latest] = useState((): Latest<T> & { value: T } => {
    const own = {
      value: initial,
      get: () => own.value,
      set(value: T) {
        own.value = value;
        draw({});
      },
      put(value: T) {
        own.value = value;
      },
    };
    return own;
  });
  return latest;
}
