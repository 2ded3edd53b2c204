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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    addEventListener('pointerdown', press, true);
    addEventListener('pointermove', look, true);
    for (const end of ENDS) addEventListener(end, release, true);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    removeEventListener('pointerdown', press, true);
    removeEventListener('pointermove', look, true);
    for (const end of ENDS) removeEventListener(end, release, true);
    set(false);
  };
}

const ENDS = ['pointerup', 'pointercancel', 'dragend', 'blur'] as const;

/** The value; while a button is pressed, the one that was shown then. */
export function useHeld<T>(value: T): T {
  const isHeld = useSyncExternalStore(subscribe, () => isPressed);
  const shown = useRef(value);
  useLayoutEffect(() => {
    if (!isHeld) shown.current = value;
  });
  return isHeld ? shown.current : value;
}
