// @vitest-environment happy-dom

import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Diff } from './diff.tsx';
import { chooseDiffLayout } from './diff-layout.ts';

afterEach(() => {
  cleanup();
  chooseDiffLayout('inline');
  vi.unstubAllGlobals();
});

const change = {
  path: 'cart.ts',
  operation: 'modify',
  patch: '@@ -1,3 +1,3 @@\n a\n-let i = 1;\n+let i = 0;\n b',
} as const;

function stubWidth(isWide: boolean): void {
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

test('what came and what went is told by signs and words, not by colours alone', () => {
  render(<Diff change={change} />);
  const rows = within(screen.getByRole('table', { name: 'changes in cart.ts' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual(['11 a', '2−removed: let i = 1;', '2+added: let i = 0;', '33 b']);
});

test('it can be seen side by side, the choice is remembered, and a narrow window shows it inline', async () => {
  stubWidth(true);
  const { unmount } = render(<Diff change={change} />);
  expect(screen.getAllByRole('row')).toHaveLength(4);
  await userEvent.click(screen.getByRole('button', { name: 'side by side' }));
  expect(screen.getAllByRole('row')).toHaveLength(3);
  expect(localStorage.getItem('tailrace-diff')).toBe('side-by-side');
  unmount();
  stubWidth(false);
  render(<Diff change={change} />);
  expect(screen.getAllByRole('row')).toHaveLength(4);
  expect(screen.queryByRole('button', { name: 'inline' })).toBeNull();
});

test('five thousand lines are folded until somebody wants them', async () => {
  const newText = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
  render(<Diff change={{ path: 'a', operation: 'add', newText }} />);
  expect(screen.getAllByRole('row')).toHaveLength(200);
  expect(screen.getByRole('button', { name: 'show 4,800 more lines' })).toBeDefined();
});

test('[T-19] hidden characters in a change are marked', () => {
  const { container } = render(<Diff change={{ ...change, patch: '@@ -1 +1 @@\n-a\n+if (admin\u202e\u2066) {' }} />);
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['U+202E', 'U+2066']);
});

test('[T-17] markup in a change is text', () => {
  const { container } = render(
    <Diff change={{ ...change, patch: '@@ -1 +1 @@\n-<b>\n+<img src=x onerror=alert(1)>' }} />,
  );
  expect(container.querySelector('img, b')).toBeNull();
});

test.each([
  [{ path: 'b', operation: 'move', fromPath: 'a' }, 'moved from a'],
  [{ path: 'b', operation: 'delete' }, 'The file was deleted.'],
  [{ path: 'b', operation: 'modify' }, 'What changed in it was not told.'],
] as const)('a change without lines is told in words', (told, words) => {
  const { container } = render(<Diff change={told} />);
  expect(container.textContent).toBe(words);
});
