import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { CONTENT_ID } from '../shell/content.ts';

/** How far each page of the history was scrolled. */
const kept = new Map<string, number>();

/** Whoever comes back finds the list where they left it, as soon as it is there. */
export function useScrollKept(isThere: boolean): void {
  const key = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const first = useRef(key);
  useEffect(() => {
    const box = document.getElementById(CONTENT_ID);
    if (!isThere || !box) return;
    const top = kept.get(first.current);
    if (top !== undefined) box.scrollTop = top;
  }, [isThere]);
  useEffect(() => {
    const box = document.getElementById(CONTENT_ID);
    if (!isThere || !box) return;
    const keep = (): void => void kept.set(key, box.scrollTop);
    box.addEventListener('scroll', keep);
    return () => box.removeEventListener('scroll', keep);
  }, [isThere, key]);
}
