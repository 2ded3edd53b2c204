// Something the person should hear of that has no place of its own any more: said for a moment at the edge of the page.

import { useSyncExternalStore } from 'react';

export interface Note {
  readonly id: number;
  readonly text: string;
  /** What can be done about it. */
  readonly action?: NoteAction | undefined;
}

export interface NoteAction {
  readonly words: string;
  readonly run: () => void;
}

const SHOWN_MS = 6000;
/** What can be acted on is there long enough to be read, thought about and reached. */
const SHOWN_WITH_ACTION_MS = 60_000;
const listeners = new Set<() => void>();
let notes: readonly Note[] = [];
let count = 0;

export function tell(text: string, action?: NoteAction): void {
  const note = { id: ++count, text, action };
  change([...notes, note]);
  setTimeout(() => dismiss(note.id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS);
}

export function dismiss(id: number): void {
  change(notes.filter((note) => note.id !== id));
}

export function useNotes(): readonly Note[] {
  return useSyncExternalStore(subscribe, () => notes);
}

function change(next: readonly Note[]): void {
  notes = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
