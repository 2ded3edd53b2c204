// A block that is long and still grows is drawn now and then instead of with each delta: drawing takes as long as the block is.

import { useEffect, useReducer, useRef } from 'react';

/** Shorter ones are drawn at once. */
const SHORT = 2000;
/** Drawing a thousand characters takes about twelve milliseconds; four times that is left for everything else. */
const MS_A_CHARACTER = 0.05;

/** The text to show: the newest, or while it grows one that is a moment old. */
export function useCalmText(text: string, isGrowing: boolean): string {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const drawn = useRef({ text, at: 0 });
  const isCalm = isGrowing && text.length > SHORT && text.startsWith(drawn.current.text);
  if (!isCalm) drawn.current = { text, at: performance.now() };
  useEffect(() => {
    if (!isCalm || text === drawn.current.text) return;
    const wait = Math.max(0, drawn.current.at + text.length * MS_A_CHARACTER - performance.now());
    const timer = setTimeout(() => {
      drawn.current = { text, at: performance.now() };
      drawAgain();
    }, wait);
    return () => clearTimeout(timer);
  }, [text, isCalm]);
  return drawn.current.text;
}
