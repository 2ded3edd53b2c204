// Whether changes are shown inline or side by side: one choice for the whole page, remembered. A narrow window shows them inline.

import { useSyncExternalStore } from 'react';

export type DiffLayout = 'inline' | 'side-by-side';

const KEY = 'tailrace-diff';
const WIDE = '(min-width: 900px)';

const listeners = new Set<() => void>();
let chosen: DiffLayout = remembered();

function remembered(): DiffLayout {
  try {
    return localStorage.getItem(KEY) === 'side-by-side' ? 'side-by-side' : 'inline';
  } catch {
    // Storage can be forbidden.
    return 'inline';
  }
}

export function chooseDiffLayout(layout: DiffLayout): void {
  chosen = layout;
  try {
    localStorage.setItem(KEY, layout);
  } catch {
    // Then it holds until the page is closed.
  }
  for (const listener of [...listeners]) listener();
}

export interface DiffLayoutState {
  readonly layout: DiffLayout;
  /** Whether there is room to choose. */
  readonly isWide: boolean;
}

export function useDiffLayout(): DiffLayoutState {
  const isWide = useSyncExternalStore(subscribeToWidth, () => matchMedia(WIDE).matches);
  const layout = useSyncExternalStore(subscribe, () => chosen);
  return { layout: isWide ? layout : 'inline', isWide };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function subscribeToWidth(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
