// Something is written: its rows on the screen, and what keys do to them. Whoever writes has all keys.

import type { KeyName } from '../keys.ts';
import { useLatest } from '../scroll/use-pane.ts';
import type { Line } from '../text/line.ts';
import { useAllKeys } from '../use-keys.tsx';
import { type Draft, EMPTY, edited } from './draft.ts';
import { draftLines, movedByRow } from './draft-rows.ts';

export interface WriterOptions {
  readonly isActive: boolean;
  /** What was written before. */
  readonly initial?: Draft;
  /** Hears what is written by now. */
  readonly onDraft?: (draft: Draft) => void;
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
export function useWriter(options: WriterOptions): Writer {
  const { isActive, initial = EMPTY, onDraft, columns, rows, take, onSend, onLeave } = options;
  const draft = useLatest<Draft>(initial);
  function set(next: Draft): void {
    draft.set(next);
    onDraft?.(next);
  }
  useAllKeys((key) => {
    const now = draft.get();
    if (take?.(key, now.text)) return;
    if (key === '<escape>' || key === '<ctrl-c>') return onLeave();
    if (key === '<enter>') return onSend(now.text);
    if (key === '<up>' || key === '<down>') return set(movedByRow(now, key === '<up>' ? -1 : 1, columns));
    const next = edited(now, key);
    if (next) set(next);
  }, isActive);
  return {
    text: draft.get().text,
    lines: draftLines(draft.get(), columns, Math.max(1, rows)),
    write: (text, at = text.length) => set({ text, at }),
    put(text) {
      const { text: now, at } = draft.get();
      set({ text: now.slice(0, at) + text + now.slice(at), at: at + text.length });
      return true;
    },
  };
}
