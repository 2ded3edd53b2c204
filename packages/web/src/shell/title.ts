// The title of the window: what is open, and how much waits for the person.

import { revealHidden } from '@tailrace/core';
import { useEffect } from 'react';
import { shown } from '../text/shown.tsx';

let waiting = 0;
let open: readonly string[] = [];

/** Names what is open while the component is there. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    open = [...open, title];
    show();
    return () => {
      const index = open.lastIndexOf(title);
      open = open.filter((_, at) => at !== index);
      show();
    };
  }, [title]);
}

/** Tells in the title how much waits. */
export function useWaitingCount(count: number): void {
  useEffect(() => {
    waiting = count;
    show();
    return () => {
      waiting = 0;
      show();
    };
  }, [count]);
}

function show(): void {
  const title = open.at(-1);
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title === undefined ? '' : `${revealHidden(shown(title))} · `}Tailrace`;
}
