// A text that has to be read to its end before something can be said to it.

import { useEffect, useState } from 'react';
import type { KeyName } from '../keys.ts';
import type { Line } from '../text/line.ts';
import { AT_TOP, type Heights, isAtEnd, moved, type Place, seenFrom } from './place.ts';
import { useLatest } from './use-pane.ts';

export interface Reading {
  /** What is on the screen. */
  readonly lines: readonly Line[];
  /** The end was on the screen once. */
  readonly isEndSeen: boolean;
  /** Whether it was a key that moves the text. */
  take(key: KeyName): boolean;
}

export interface ReadingOptions {
  /** What the text is about: with another one, its end was not seen yet. */
  readonly about: string;
  readonly lines: readonly Line[];
  readonly room: number;
  /** Some of it is still on its way: then no end is the end. */
  readonly isLoading?: boolean;
}

export function useReading({ about, lines, room, isLoading = false }: ReadingOptions): Reading {
  const at = useLatest<Place>(AT_TOP);
  const heights: Heights = { count: lines.length, room, heightOf: () => 1 };
  const place = moved(at.get(), 0, heights);
  const isEndSeen = useSeen(about, !isLoading && isAtEnd(place, heights));
  return {
    lines: seenFrom(place, heights).map(({ item }) => lines[item] ?? []),
    isEndSeen,
    take(key) {
      const page = Math.max(1, room - 1);
      const by = { j: 1, '<down>': 1, k: -1, '<up>': -1, '<page-down>': page, '<page-up>': -page, ' ': page }[key];
      if (by !== undefined) at.set(moved(at.get(), by, heights));
      else if (key === 'G' || key === '<end>') at.set(moved(at.get(), lines.length, heights));
      else if (key === 'g' || key === '<home>') at.set(AT_TOP);
      else return false;
      return true;
    },
  };
}

/** Whether it was so once, since `about` is what it is. */
function useSeen(about: string, isSeen: boolean): boolean {
  const [seen, setSeen] = useState('');
  useEffect(() => {
    if (isSeen) setSeen(about);
  }, [about, isSeen]);
  return seen === about;
}
