import { type RefCallback, useCallback, useState } from 'react';

/** Whether the end of something was on the screen: `ref` belongs to a mark there. Once seen, it stays so. */
export function useEndSeen(): { readonly ref: RefCallback<Element>; readonly isSeen: boolean } {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((mark: Element | null) => {
    if (!mark) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting, intersectionRatio }) => isIntersecting && intersectionRatio >= 0.5))
          return;
        setSeen(true);
        observer.disconnect();
      },
      { threshold: 0.5 },
    );
    observer.observe(mark);
    return () => observer.disconnect();
  }, []);
  return { ref, isSeen };
}
