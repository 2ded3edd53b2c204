import { CONTENT_ID } from '../shell/content.ts';
import { useKeys } from '../shell/keys.ts';
import { ROW_ATTRIBUTE } from './session-row.tsx';

/** `j` and `k` go from row to row; `Enter` opens, since each row is a link. */
export function useRowKeys(): void {
  useKeys([
    { keys: 'j', label: 'next session', group: 'sessions', run: () => step(1) },
    { keys: 'k', label: 'previous session', group: 'sessions', run: () => step(-1) },
    { keys: 'Enter', label: 'open the session', group: 'sessions', run: () => undefined },
    { keys: 'g g', label: 'first session', group: 'sessions', run: () => goTo('first') },
    { keys: 'G', label: 'last session', group: 'sessions', run: () => goTo('last') },
  ]);
}

function rows(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[${ROW_ATTRIBUTE}]`)];
}

/** Rows far away are made only when the page is there: what is at the end comes with the next drawing. */
function goTo(end: 'first' | 'last'): void {
  const scroller = document.getElementById(CONTENT_ID);
  if (scroller) scroller.scrollTop = end === 'first' ? 0 : scroller.scrollHeight;
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      rows()
        .at(end === 'first' ? 0 : -1)
        ?.focus(),
    ),
  );
}

function step(by: number): void {
  const all = rows();
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? all.indexOf(focused) : -1;
  const next = at === -1 ? (by > 0 ? all[0] : all.at(-1)) : all[at + by];
  next?.focus();
}
