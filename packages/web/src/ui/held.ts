// Nothing moves under a pressed button: between press and release a row could make room for another, and the press would go nowhere, or
// to something else. What comes meanwhile is shown when the button is let go.

import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';

/** A release can get lost: it is not waited for any longer. */
const LONGEST_PRESS_MS = 10_000;

const listeners = new Set<() => void>();
let isPressed = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function set(value: boolean): void {
  clearTimeout(timer);
  if (value) timer = setTimeout(set, LONGEST_PRESS_MS, false);
  if (value === isPressed) return;
  isPressed = value;
  for (const listener of [...listeners]) listener();
}

const press = ({ isPrimary }: PointerEvent): void => {
  if (isPrimary) set(true);
};
/** The click comes right behind the release. */
const release = (): void => {
  if (!isPressed) return;
  clearTimeout(timer);
  timer = setTimeout(set, 0, false);
};
/** Where the release itself was not told: that of a scroll bar, or of a window that lost the focus. */
const look = ({ buttons }: PointerEvent): void => {
  if (buttons === 0) release();
};

let listening: AbortController | undefined;

function listen({ signal }: AbortController): void {
  addEventListener('pointerdown', press, { capture: true, signal });
  addEventListener('pointermove', look, { capture: true, signal });
  for (const end of ['pointerup', 'pointercancel', 'dragend'])
    addEventListener(end, release, { capture: true, signal });
  // That of the window: with each press some element loses the focus.
  addEventListener('blur', release, { signal });
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    listening = new AbortController();
    listen(listening);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    listening?.abort();
    set(false);
  };
}

/** The value; while a button is pressed, the one that was shown then. */
export function useHeld<T>(value: T): T {
  const isHeld = useSyncExternalStore(subscribe, () => isPressed);
  const shown = useRef(value);
  useLayoutEffect(() => {
    if (!isHeld) shown.current = value;
  });
  return isHeld ? shown.current : value;
}
