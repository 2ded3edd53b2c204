// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, cleanup, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { setTheme, useTheme } from './theme.ts';

afterEach(() => {
  cleanup();
  setTheme('system');
});

function Theme(): ReactElement {
  return <p>{useTheme()}</p>;
}

test('a choice is shown, kept, and taken back', () => {
  const { container } = render(<Theme />);
  expect(container.textContent).toBe('system');
  for (const theme of ['dark', 'light'] as const) {
    act(() => setTheme(theme));
    expect(container.textContent).toBe(theme);
    expect(document.documentElement.dataset['theme']).toBe(theme);
    expect(localStorage.getItem('tailrace-theme')).toBe(theme);
  }
  act(() => setTheme('system'));
  expect(document.documentElement.dataset['theme']).toBeUndefined();
  expect(localStorage.getItem('tailrace-theme')).toBeNull();
});

test('what is kept is what the page begins with', () => {
  setTheme('dark');
  delete document.documentElement.dataset['theme'];
  new Function('document', 'localStorage', readFileSync(join(import.meta.dirname, '../../public/theme.js'), 'utf8'))(
    document,
    localStorage,
  );
  expect(document.documentElement.dataset['theme']).toBe('dark');
});

test('another tab chooses as well', () => {
  const { container } = render(<Theme />);
  localStorage.setItem('tailrace-theme', 'light');
  act(() => void window.dispatchEvent(new Event('storage')));
  expect(container.textContent).toBe('light');
  expect(document.documentElement.dataset['theme']).toBe('light');
});
