// Something is written: its rows on the screen, and what keys do to them. Whoever writes has all keys.

import type { KeyName } from '../keys.ts';
import { useLatest } from '../scroll/use-pane.ts';
import type { Line } from '../text/line.ts';
import { useAllKeys } from '../use-keys.tsx';
import { type Draft, EMPTY, edited } from './draft.ts';
import { draftLines, movedByRow } from './draft-rows.ts';

export interface WriterOptions {
  readonly isActive: boolean;
  readonly columns: number;
  /** At most so many rows are seen at once. */
  readonly rows: number;
  /** Keys that mean something else here; true where it was one. */
  readonly take?: (key: KeyName, text: string) => boolean;
  readonly onSend: (text: string) => void;
  readonly onLeave: () => void;
}

export interface Writer {
  readonly text: string;
  readonly lines: readonly Line[];
  /** Puts a text in the place of what is there, to be gone on with at its end unless told otherwise. */
  write(text: string, at?: number): void;
  /** Puts a text where the cursor is. It is a key that was taken. */
  put(text: string): true;
}

/** Enter sends, Alt and Enter goes on in the next line, Esc and Ctrl-C leave; what was written stays. */
export function useWriter({ isActive, columns, rows, take, onSend, onLeave }: WriterOptions): Writer {
  const draft = useLatest<Draft>(EMPTY);
  useAllKeys((key) => {
    const now = draft.get();
    if (take?.(key, now.text)) return;
    if (key === '<escape>' || key === '<ctrl-c>') return onLeave();
    if (key === '<enter>') return onSend(now.text);
    if (key === '<up>' || key === '<down>') return draft.set(movedByRow(now, key === '<up>' ? -1 : 1, columns));
    const next = edited(now, key);
    if (next) draft.set(next);
  }, isActive);
  return {
    text: draft.get().text,
    lines: draftLines(draft.get(), columns, Math.max(1, rows)),
    write: (text, at = text.length) => draft.set({ text, at }),
    put(text) {
      const { text: now, at } = draft.get();
      draft.set({ text: now.slice(0, at) + text + now.slice(at), at: at + text.length });
      return true;
    },
  };
}
