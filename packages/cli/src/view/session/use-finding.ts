// Finding words in a session: where they are, and which of these places is looked at.

import { type Follow, findParts, isFollowing, type Row } from '@tailrace/client/timeline';
import type { Conversation } from '@tailrace/core';
import { type Latest, useLatest } from '../scroll/use-pane.ts';

export interface FindingOptions {
  readonly conversation: Conversation;
  readonly rows: readonly Row[];
  readonly reading: Latest<Follow>;
  /** The row that is chosen now. */
  readonly chosen: () => Row | undefined;
  readonly tell: (note: string) => void;
  /** Leads to a part, wherever it is. */
  readonly show: (id: string) => void;
}

export interface Finding {
  /** What was looked for last. */
  readonly words: string;
  find(words: string): void;
  /** The next place from where the reader is, or from the last one. */
  step(by: 1 | -1): void;
  /** Nothing is looked for any more. */
  end(): void;
}

interface Found {
  readonly words: string;
  readonly ids: readonly string[];
  readonly at: number;
}

const NOTHING_FOUND: Found = { words: '', ids: [], at: -1 };

export function useFinding({ conversation, rows, reading, chosen, tell, show }: FindingOptions): Finding {
  const found = useLatest<Found>(NOTHING_FOUND);

  function step(by: 1 | -1): void {
    const { words, ids, at } = found.get();
    if (ids.length === 0) return;
    const from = at >= 0 ? at : Math.max(-1, placeOf(ids));
    const next = at < 0 && by > 0 ? Math.max(0, from) : (((from + by) % ids.length) + ids.length) % ids.length;
    found.set({ words, ids, at: next });
    tell(`${next + 1} of ${ids.length}`);
    show(ids[next] ?? '');
  }

  /** The first place from the chosen row on. */
  function placeOf(ids: readonly string[]): number {
    const here = chosen();
    if (!here || isFollowing(reading.get())) return 0;
    const order = new Map(rows.map((row, index) => [row.key, index]));
    const start = order.get(here.key) ?? 0;
    return Math.max(
      0,
      ids.findIndex((id) => (order.get(id) ?? -1) >= start),
    );
  }

  return {
    get words() {
      return found.get().words;
    },
    find(words) {
      const ids = words.trim() === '' ? [] : findParts(conversation, words);
      found.set({ words, ids, at: -1 });
      if (words.trim() !== '' && ids.length === 0) tell(`Nothing is there with "${words}".`);
      else step(1);
    },
    step,
    end: () => found.set(NOTHING_FOUND),
  };
}
