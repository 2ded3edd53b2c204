// Light or dark: the person's choice, else the system's. public/theme.js reads it before anything is drawn.

import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'tailrace-theme';
const listeners = new Set<() => void>();
/** Where storage is forbidden it holds as long as the page. */
let own: Theme | undefined;

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme);
}

export function setTheme(theme: Theme): void {
  own = theme;
  try {
    if (theme === 'system') localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, theme);
  } catch {
    // Then this page alone knows it.
  }
  show();
}

function readTheme(): Theme {
  try {
    return themeOf(localStorage.getItem(NAME));
  } catch {
    return own ?? 'system';
  }
}

function themeOf(name: string | null): Theme {
  return THEMES.find((theme) => theme === name) ?? 'system';
}

function show(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

/** Another tab may choose as well. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', show);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', show);
  };
}
