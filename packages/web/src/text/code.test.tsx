// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { Code } from './code.tsx';

afterEach(cleanup);

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
const shown = (container: HTMLElement): string => container.querySelector('pre')?.textContent ?? '';

test('code is plain at once, and coloured when the colours are there', async () => {
  const text = 'const sum: number = 1;\n// done\nfunction f() {}';
  const { container } = render(<Code text={text} language="ts" />);
  expect(shown(container)).toBe(text);
  expect(container.querySelector('pre span')).toBeNull();
  await waitFor(() => expect(container.querySelectorAll('pre span').length).toBeGreaterThan(5), { timeout: 20_000 });
  expect(shown(container)).toBe(text);
});

test('a language that nobody knows is left plain', () => {
  const { container } = render(<Code text="x = 1" language="no-such-language" />);
  expect(shown(container)).toBe('x = 1');
});

test('long code is folded to its first lines, long output to its last', async () => {
  const { container, rerender } = render(<Code text={lines(49)} maxLines={8} />);
  expect(shown(container)).toBe(lines(8));
  await userEvent.click(screen.getByRole('button', { name: '… 41 more lines' }));
  expect(shown(container)).toBe(lines(49));
  await userEvent.click(screen.getByRole('button', { name: 'show less' }));
  rerender(<Code text={lines(49)} maxLines={8} keep="last" />);
  expect(shown(container).split('\n')).toEqual(lines(49).split('\n').slice(-8));
});

test('the whole of it is copied, however much is shown', async () => {
  const user = userEvent.setup();
  render(<Code text={lines(49)} maxLines={8} label="output" />);
  await user.click(screen.getByRole('button', { name: 'Copy output' }));
  expect(await navigator.clipboard.readText()).toBe(lines(49));
});

test('[T-19] hidden characters are marked, also between colours', async () => {
  const { container } = render(<Code text={'const a = "\u202e";'} language="js" />);
  expect(container.querySelectorAll('mark')).toHaveLength(1);
  await waitFor(() => expect(container.querySelector('pre span')).not.toBeNull(), { timeout: 20_000 });
  expect(container.querySelectorAll('mark')).toHaveLength(1);
});

test('[T-17] markup in code is text', () => {
  const { container } = render(<Code text="<img src=x onerror=alert(1)><script>alert(1)</script>" language="html" />);
  expect(container.querySelector('img, script')).toBeNull();
});
