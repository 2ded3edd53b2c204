import { useCallback, useLayoutEffect, useRef } from 'react';

/** So long nothing is taken: a click that was meant for what stood here before must not answer this (T-21). */
export const ARM_MS = 500;

/** Tells whether `about` has been on the screen for long enough, unchanged. In a window that nobody sees, no time passes. */
export function useArmed(about: string): () => boolean {
  const since = useRef(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what it is about begins anew
  useLayoutEffect(() => {
    since.current = Number.POSITIVE_INFINITY;
    const frame = requestAnimationFrame(() => {
      since.current = performance.now();
    });
    return () => cancelAnimationFrame(frame);
  }, [about]);
  return useCallback(() => performance.now() - since.current >= ARM_MS, []);
}
