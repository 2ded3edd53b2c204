// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useHeld } from './held.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Shown({ value }: { readonly value: string }): ReactElement {
  return <p>{useHeld(value)}</p>;
}

const press = (more: object = {}): boolean =>
  fireEvent(document.body, new PointerEvent('pointerdown', { bubbles: true, isPrimary: true, ...more }));
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));
const shown = (): string | null => screen.getByRole('paragraph').textContent;

/** Pressed, and changed since. */
function changeUnderPress(): void {
  const { rerender } = render(<Shown value="before" />);
  press();
  rerender(<Shown value="after" />);
  expect(shown()).toBe('before');
}

test('what comes while a button is pressed is shown behind the click', () => {
  changeUnderPress();
  fireEvent(document.body, new PointerEvent('pointerup', { bubbles: true }));
  fireEvent.click(document.body);
  expect(shown()).toBe('before');
  pass(0);
  expect(shown()).toBe('after');
});

test.each([
  ['the press became a scroll', () => fireEvent(document.body, new PointerEvent('pointercancel', { bubbles: true }))],
  ['the pointer moves without a button', () => fireEvent(window, new PointerEvent('pointermove', { buttons: 0 }))],
  ['the window lost the focus', () => fireEvent(window, new Event('blur'))],
])('a release that was not told is noticed: %s', (_how, happen) => {
  changeUnderPress();
  fireEvent(window, new PointerEvent('pointermove', { buttons: 1 }));
  pass(1000);
  expect(shown()).toBe('before');
  happen();
  pass(0);
  expect(shown()).toBe('after');
});

test('that something else loses the focus by the press ends nothing', () => {
  render(<input />);
  const field = screen.getByRole('textbox');
  field.focus();
  changeUnderPress();
  field.blur();
  pass(0);
  expect(shown()).toBe('before');
});

test('nothing is held for ever', () => {
  changeUnderPress();
  pass(10_000);
  expect(shown()).toBe('after');
});

test('without a press everything is shown at once', () => {
  const { rerender } = render(<Shown value="before" />);
  rerender(<Shown value="after" />);
  expect(shown()).toBe('after');
  press({ isPrimary: false });
  rerender(<Shown value="later" />);
  expect(shown()).toBe('later');
});
