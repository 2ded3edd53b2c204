// The keys of the page. Whatever is on the screen binds its own; the one that came last goes first, and `?` lists all of them.

import { useEffect, useRef } from 'react';

export interface KeyBinding {
  /** As the keyboard tells it: `j`, `G`, `Escape`, `?`; with `ctrl+k` also the command key; `g g` is one after the other. */
  readonly keys: string;
  readonly label: string;
  /** Under which heading the list of keys names it. */
  readonly group: string;
  readonly run: () => void;
}

type Reader = () => readonly KeyBinding[];

/** Binds keys while the component is there. They are left alone while somebody types, in a menu and beside an open dialog. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings);
  useEffect(() => {
    latest.current = bindings;
  });
  useEffect(() => bind(() => latest.current), []);
}

const bound: Reader[] = [];

/** What is bound now, the oldest first; of the same keys only the one that works. */
export function boundKeys(): readonly KeyBinding[] {
  const working = new Map<string, KeyBinding>();
  for (const read of bound) for (const binding of read()) working.set(binding.keys, binding);
  return [...working.values()];
}

function bind(read: Reader): () => void {
  if (bound.length === 0) document.addEventListener('keydown', press);
  bound.push(read);
  return () => {
    bound.splice(bound.indexOf(read), 1);
    if (bound.length === 0) document.removeEventListener('keydown', press);
  };
}

/** How long the second key of two may take. */
const SEQUENCE_MS = 1000;
let pressed = { word: '', at: Number.NEGATIVE_INFINITY };

function press(event: KeyboardEvent): void {
  const word = wordOf(event);
  if (event.defaultPrevented || event.isComposing || word === undefined || belongsElsewhere(event, word)) return;
  const isSecond = event.timeStamp - pressed.at < SEQUENCE_MS;
  const both = `${pressed.word} ${word}`;
  pressed = { word, at: event.timeStamp };
  const bindings = boundKeys();
  const found = (isSecond && bindings.find(({ keys }) => keys === both)) || bindings.find(({ keys }) => keys === word);
  if (!found) return;
  event.preventDefault();
  pressed = { word: '', at: Number.NEGATIVE_INFINITY };
  found.run();
}

function wordOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): string | undefined {
  if (altKey || key === 'Shift' || key === 'Control' || key === 'Meta') return undefined;
  return ctrlKey || metaKey ? `ctrl+${key.toLowerCase()}` : key;
}

const FIELDS = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]';

function belongsElsewhere({ target }: KeyboardEvent, word: string): boolean {
  if (document.querySelector('[role=dialog][data-state=open]')) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest('[role=menu], [role=listbox]')) return true;
  if (!word.startsWith('ctrl+') && target.closest(FIELDS)) return true;
  // These two press what has the focus.
  return (word === 'Enter' || word === ' ') && target.closest('a, button, summary, input, [role=button]') !== null;
}
